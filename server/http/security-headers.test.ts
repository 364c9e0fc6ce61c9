import { Hono } from "hono";
import { expect, test } from "vitest";
import { freePort } from "../../tests/support/free-port.ts";
import { commonHeaders } from "./common-headers.ts";
import { listen } from "./listen.ts";
import { securityHeaders } from "./security-headers.ts";

const TLS_HEADERS = ["Strict-Transport-Security", "Cross-Origin-Opener-Policy"];

async function headersOf(siteUrl: string, headers: Record<string, string> = {}): Promise<Headers> {
  const app = new Hono()
    .use(commonHeaders(securityHeaders({ siteUrl })))
    .get("/", () => new Response("", { headers }));
  const port = await freePort();
  const listener = await listen("127.0.0.1", port);
  listener.serve(app.fetch);
  const response = await fetch(`http://127.0.0.1:${port}`);
  await listener.close();
  return response.headers;
}

test("a response has the security headers that do not depend on TLS", async () => {
  expect(Object.fromEntries(await headersOf("http://127.0.0.1:3000"))).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "x-permitted-cross-domain-policies": "none",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": expect.stringContaining("camera=()"),
  });
});

test("headers that browsers ignore without TLS are sent only if the site uses TLS", async () => {
  const plain = await headersOf("http://127.0.0.1:3000");
  const secure = await headersOf("https://techfolio.example");
  for (const name of TLS_HEADERS) {
    expect(plain.has(name)).toBe(false);
    expect(secure.has(name)).toBe(true);
  }
});

test("a response keeps its own Content-Security-Policy, and a response without one gets a policy that allows nothing", async () => {
  const policy = "Content-Security-Policy";
  expect((await headersOf("http://127.0.0.1")).get(policy)).toContain("default-src 'none'");
  expect((await headersOf("http://127.0.0.1", { [policy]: "default-src 'self'" })).get(policy)).toBe(
    "default-src 'self'",
  );
});
