import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { watchSignInMethods } from "./supabase-sign-in.ts";

interface Reply {
  status?: number;
  body: string;
}

const PASSWORD_ONLY = { password: true, passkeys: false, providers: [] };
const external = (entries: object): Reply => ({ body: JSON.stringify({ external: entries }) });

/** Watches a project that sends these replies to requests for its settings, and repeats the last one. */
async function watch(...replies: Reply[]) {
  let last: Reply = { status: 500, body: "" };
  const server: Server = createServer((request, response) => {
    last = replies.shift() ?? last;
    const isExpected = request.url === "/auth/v1/settings" && request.headers["apikey"] === "public";
    response.writeHead(isExpected ? (last.status ?? 200) : 400).end(last.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const methods = await watchSignInMethods({ url: `http://127.0.0.1:${port}`, publishableKey: "public" });
  onTestFinished(() => {
    methods.stop();
    server.closeAllConnections();
    server.close();
  });
  return methods;
}

afterEach(() => vi.useRealTimers());

test("each enabled provider of a project is offered under its name, and other entries are not", async () => {
  const methods = await watch(
    external({
      email: true,
      phone: true,
      anonymous_users: true,
      google: false,
      keycloak: true,
      linkedin_oidc: true,
      github: "true",
      saml: 1,
    }),
  );
  expect(methods.current()).toEqual({
    password: true,
    passkeys: false,
    providers: [
      { id: "keycloak", name: "Keycloak" },
      { id: "linkedin_oidc", name: "LinkedIn" },
    ],
  });
});

test("a project without passwords offers only its providers", async () => {
  const methods = await watch(external({ email: false, gitlab: true }));
  expect(methods.current()).toEqual({
    password: false,
    passkeys: false,
    providers: [{ id: "gitlab", name: "GitLab" }],
  });
});

test.each([true, false])(
  "a project with passkeys_enabled: %j has passkeys accordingly",
  async (isEnabled) => {
    const methods = await watch({ body: JSON.stringify({ external: {}, passkeys_enabled: isEnabled }) });
    expect(methods.current().passkeys).toBe(isEnabled);
  },
);

test.each<Reply>([
  { status: 503, body: JSON.stringify({ external: { github: true } }) },
  { body: "<html>" },
  { body: "{}" },
  { body: JSON.stringify({ external: ["github"] }) },
])("while a project responds with %j, the form offers passwords", async (reply) => {
  expect((await watch(reply)).current()).toEqual(PASSWORD_ONLY);
});

test("the methods follow the project within a minute, and stay while it fails", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const methods = await watch(
    external({ github: true }),
    { status: 500, body: "" },
    external({ gitlab: true }),
  );
  const offered = () => methods.current().providers.map(({ id }) => id);
  expect(offered()).toEqual(["github"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(offered()).toEqual(["github"]);
  await vi.advanceTimersByTimeAsync(60_000);
  await vi.waitFor(() => expect(offered()).toEqual(["gitlab"]));
});
