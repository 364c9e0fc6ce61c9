// Tests which pages of other origins can use the API in a browser (API_ORIGINS), and the services that don't exist.
import { afterAll, describe, expect, test } from "vitest";
import { readSettings } from "../../server/config/settings.ts";
import { startTestApp } from "../support/test-app.ts";

const BLOG = "https://blog.example.com";
const OTHER = "https://evil.example";
const PICTURE = `/storage/v1/object/public/pictures/${crypto.randomUUID()}/${"0".repeat(32)}-1x1.png`;

const closed = await startTestApp();
const listed = await startTestApp(readSettings({ API_ORIGINS: `${BLOG}, http://localhost:8000/` }));
const open = await startTestApp(readSettings({ API_ORIGINS: "*" }));
afterAll(() => Promise.all([closed, listed, open].map((site) => site.stop())));

type Site = typeof closed;

const get = (site: Site, path: string, origin: string) =>
  site.ask(path, { headers: { apikey: site.keys.anonKey, origin } });

function preflight(site: Site, path: string, origin: string, method: string) {
  const headers = {
    origin,
    "access-control-request-method": method,
    "access-control-request-headers": "apikey,authorization,content-type,prefer",
  };
  return site.ask(path, { method: "OPTIONS", headers });
}

const corsHeaders = (response: Response) =>
  [...response.headers.keys()].filter((name) => name.startsWith("access-control-"));

const DATA = ["/rest/v1/articles", "/rest/v1/rpc/search_people", "/auth/v1/settings", "/auth/v1/user"];
const OUTSIDE = ["/", "/articles", "/llms.txt", "/healthz", "/admin/v1/members", "/realtime/v1/websocket"];

test("an OPTIONS that isn't a preflight names the methods of the path, with and without API_ORIGINS", async () => {
  for (const site of [closed, listed, open]) {
    const response = await site.ask("/rest/v1/versions", { method: "OPTIONS", headers: { origin: BLOG } });
    expect([response.status, response.headers.get("allow")]).toEqual([204, "GET, HEAD, DELETE, OPTIONS"]);
  }
});

test("without API_ORIGINS, no response to another origin has CORS headers", async () => {
  for (const path of [...DATA, PICTURE, ...OUTSIDE]) {
    expect([path, corsHeaders(await get(closed, path, BLOG))]).toEqual([path, []]);
    expect([path, corsHeaders(await preflight(closed, path, BLOG, "GET"))]).toEqual([path, []]);
  }
});

describe.each([
  ["a listed origin", () => listed, BLOG, BLOG],
  [
    "another listed origin, which the setting ends with a slash,",
    () => listed,
    "http://localhost:8000",
    "http://localhost:8000",
  ],
  ["any origin, with *,", () => open, OTHER, "*"],
])("a page of %s", (_which, site, origin, allowed) => {
  test.each(DATA)("can read the response of %s, whatever its status", async (path) => {
    const response = await get(site(), path, origin);
    expect(response.headers.get("access-control-allow-origin")).toBe(allowed);
    expect(response.headers.get("access-control-expose-headers")?.toLowerCase()).toContain("content-range");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
  });

  test("can send every method of the data API, with the client's headers", async () => {
    for (const path of DATA) {
      const response = await preflight(site(), path, origin, "PATCH");
      expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([204, allowed]);
      expect(response.headers.get("access-control-allow-methods")?.split(",")).toEqual(
        expect.arrayContaining(["GET", "POST", "PATCH", "PUT", "DELETE"]),
      );
      expect(response.headers.get("access-control-allow-headers")).toBe(
        "apikey,authorization,content-type,prefer",
      );
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  test("can download a picture with storage-js", async () => {
    for (const path of [PICTURE.replace("public/", ""), PICTURE.replace("public/", "authenticated/")])
      for (const response of [await preflight(site(), path, origin, "GET"), await get(site(), path, origin)])
        expect(response.headers.get("access-control-allow-origin")).toBe(allowed);
  });

  test("can read public pictures, but not upload any", async () => {
    expect((await get(site(), PICTURE, origin)).headers.get("access-control-allow-origin")).toBe(allowed);
    expect((await preflight(site(), PICTURE, origin, "GET")).headers.get("access-control-allow-origin")).toBe(
      allowed,
    );
    for (const method of ["POST", "PUT", "DELETE"]) {
      expect(corsHeaders(await preflight(site(), PICTURE.replace("public/", ""), origin, method))).toEqual(
        [],
      );
    }
  });

  test.each(OUTSIDE)("can read nothing of %s", async (path) => {
    expect(corsHeaders(await get(site(), path, origin))).toEqual([]);
  });
});

test.each([OTHER, "null", `${BLOG}.evil.example`, "http://blog.example.com", `${BLOG}:8443`, ""])(
  "a page of the origin %j, which is not listed, can read nothing",
  async (origin) => {
    for (const path of [...DATA, PICTURE]) {
      expect((await get(listed, path, origin)).headers.get("access-control-allow-origin")).toBeNull();
      const answer = await preflight(listed, path, origin, "GET");
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  },
);

test("caches keep the responses to different listed origins apart", async () => {
  for (const origin of [BLOG, OTHER]) {
    const response = await get(listed, "/rest/v1/articles", origin);
    expect(response.headers.get("vary")?.toLowerCase()).toContain("origin");
  }
});

test("no response of the API sets a cookie, so a page of another origin cannot act in a member's name", async () => {
  const account = await open.ask("/auth/v1/token?grant_type=password", {
    method: "POST",
    headers: { apikey: open.keys.anonKey, origin: OTHER, "content-type": "application/json" },
    body: JSON.stringify({ email: "nobody@example.com", password: "wrong password" }),
  });
  expect([account.status, account.headers.getSetCookie()]).toEqual([400, []]);
  const own = await open.ask("/auth/v1/user", {
    headers: { origin: OTHER, apikey: open.keys.anonKey, cookie: "sb-access-token=x; techfolio.session=x" },
  });
  expect(own.status).toBe(401);
});

describe.each([
  "/realtime/v1",
  "/realtime/v1/websocket?vsn=1.0.0",
  "/functions/v1",
  "/functions/v1/hello",
  "/graphql/v1",
])("the service at %s", (path) => {
  test.each(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])(
    "does not exist: %s gets 404 as JSON",
    async (method) => {
      const response = await closed.ask(path, { method });
      expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/json"]);
      if (method === "HEAD") return;
      expect(await response.json()).toMatchObject({
        code: "NOT_FOUND",
        message: expect.stringMatching(/no (realtime|functions|graphql) service/),
      });
    },
  );
});
