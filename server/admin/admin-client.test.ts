import { expect, onTestFinished, test, vi } from "vitest";
import { createAdminClient, unwrap } from "./admin-client.ts";
import { removePictures } from "./pictures.ts";

const site = {
  url: "http://site.test",
  serviceKey: "key",
  ifUnreachable: "",
  ifKeyRejected: "check the key",
};

function stubFetch(respond: (url: string) => Response) {
  const fetch = vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => respond(String(url)));
  onTestFinished(() => fetch.mockRestore());
  return fetch;
}

test("a request to a failing site is not repeated, and its error names the status", async () => {
  const fetch = stubFetch(() => new Response("", { status: 503 }));
  const { data } = createAdminClient(site);
  await expect(data.from("articles").select().throwOnError()).rejects.toThrow("responds with status 503");
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("a rejected request reports a failure, and a concurrent request that is accepted does not", async () => {
  stubFetch((url) =>
    url.includes("articles") ? Response.json({ message: "" }, { status: 401 }) : Response.json([]),
  );
  const { data } = createAdminClient(site);
  const [rejected, accepted] = await Promise.allSettled(
    ["articles", "useful_links"].map((table) => data.from(table).select().throwOnError()),
  );
  expect(rejected).toMatchObject({ reason: { message: expect.stringContaining("does not accept the key") } });
  expect(accepted).toMatchObject({ status: "fulfilled" });
});

test("an error is reported even if an earlier request got an empty response", async () => {
  stubFetch((url) =>
    url.includes("/rest/v1/")
      ? new Response(null, { status: 204 })
      : Response.json({ error_code: "user_not_found", msg: "User not found" }, { status: 404 }),
  );
  const { admin, data } = createAdminClient(site);
  await data.from("articles").delete().eq("id", "1").throwOnError();
  await expect(unwrap(admin.getUserById(crypto.randomUUID()))).rejects.toThrow("User not found");
});

test.each([
  ["an HTML page", () => new Response("<!doctype html>", { headers: { "Content-Type": "text/html" } })],
  ["another service's JSON error", () => Response.json({ error: "No such thing" }, { status: 404 })],
  ["an empty 404", () => new Response("", { status: 404 })],
])("a server that responds with %s is reported as not being a Techfolio site", async (_response, respond) => {
  stubFetch(respond);
  const { admin } = createAdminClient(site);
  await expect(unwrap(admin.listUsers())).rejects.toThrow("a Techfolio site");
});

test.each([503, 504, 500, 429])(
  "status %i of the site is a temporary failure, whichever client gets it",
  async (status) => {
    stubFetch(() => Response.json({ message: "slow" }, { status }));
    const { admin, data, pictures } = createAdminClient(site);
    const temporary = expect.objectContaining({
      name: "TemporaryError",
      message: expect.stringContaining(`responds with status ${status}`),
    });
    await expect(unwrap(admin.deleteUser(crypto.randomUUID()))).rejects.toEqual(temporary);
    await expect(data.from("articles").select().throwOnError()).rejects.toEqual(temporary);
    await expect(removePictures({ pictures }, ["a"])).rejects.toEqual(temporary);
  },
);

test("on a Supabase project, unlinking an account fails with the reason: the project doesn't support it", async () => {
  // The response of Supabase Auth, which has no such endpoint.
  stubFetch(() => new Response("404 page not found\n", { status: 404 }));
  await expect(createAdminClient(site).unlinkProviders("1")).rejects.toThrow(
    "The Supabase project does not support this: unlink the account there.",
  );
});
