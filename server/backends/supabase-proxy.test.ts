import { afterEach, expect, test, vi } from "vitest";
import { createLog } from "../http/log.ts";
import { createSupabaseProxy } from "./supabase-proxy.ts";

afterEach(() => vi.unstubAllGlobals());

/** Returns the request that the project receives, and whether the page cache was marked stale. */
async function forward(path: string, init: RequestInit, status = 201) {
  const fetch = vi.fn(async (_request: Request) => new Response(null, { status }));
  vi.stubGlobal("fetch", fetch);
  const onWrite = vi.fn();
  const log = createLog(() => undefined);
  const proxy = createSupabaseProxy("https://project.example", 0, log, onWrite);
  const env = { incoming: { socket: { remoteAddress: "192.0.2.1" } } };
  await proxy.request(path, init, env);
  return { forwarded: fetch.mock.calls[0]?.[0], isStale: onWrite.mock.calls.length > 0 };
}

async function marksPagesStale(method: string, path: string, status?: number): Promise<boolean> {
  return (await forward(path, { method }, status)).isStale;
}

test.each(["POST", "PUT", "PATCH", "DELETE"])(
  "a %s to a table of the project makes cached pages stale",
  async (method) => {
    expect(await marksPagesStale(method, "/rest/v1/articles")).toBe(true);
  },
);

test.each([
  ["POST", "/auth/v1/token?grant_type=refresh_token"],
  ["POST", "/auth/v1/token?grant_type=password"],
  ["POST", "/auth/v1/logout"],
  ["POST", "/rest/v1/rpc/search"],
  ["GET", "/rest/v1/articles"],
  ["HEAD", "/rest/v1/articles"],
])("a %s to %s of the project does not make cached pages stale", async (method, path) => {
  expect(await marksPagesStale(method, path)).toBe(false);
});

test("a write that the project rejects does not make cached pages stale", async () => {
  expect(await marksPagesStale("POST", "/rest/v1/articles", 403)).toBe(false);
});

test("a client's Connection header cannot remove the client's address or API key from the request to the project", async () => {
  const headers = { apikey: "key", connection: "close, x-forwarded-for, apikey" };
  const { forwarded } = await forward("/rest/v1/articles", { headers });
  expect(forwarded?.headers.get("x-forwarded-for")).toBe("192.0.2.1");
  expect(forwarded?.headers.get("apikey")).toBe("key");
  expect(forwarded?.headers.get("connection")).toBeNull();
});

test("a request for a picture is forwarded to the project's Storage and does not make cached pages stale", async () => {
  const path = "/storage/v1/object/public/pictures/a/b.webp";
  const { forwarded, isStale } = await forward(path, { headers: { range: "bytes=0-3" } }, 206);
  expect([forwarded?.url, forwarded?.headers.get("range"), isStale]).toEqual([
    `https://project.example${path}`,
    "bytes=0-3",
    false,
  ]);
});

test("other sites may show the project's pictures, but not read its data", async () => {
  vi.stubGlobal(
    "fetch",
    async () => new Response("", { headers: { "cross-origin-resource-policy": "same-origin" } }),
  );
  const proxy = createSupabaseProxy(
    "https://project.example",
    0,
    createLog(() => undefined),
    vi.fn(),
  );
  const policyOf = async (path: string) =>
    (await proxy.request(path)).headers.get("cross-origin-resource-policy");
  expect(await policyOf("/storage/v1/object/public/pictures/a/b.webp")).toBe("cross-origin");
  expect(await policyOf("/storage/v1/object/pictures/a/b.webp")).toBe("same-origin");
  expect(await policyOf("/rest/v1/articles")).toBe("same-origin");
});

test("sign-ins are forwarded, and a client without an address has no forged one", async () => {
  const fetch = vi.fn(async (_request: Request) => new Response(null, { status: 200 }));
  vi.stubGlobal("fetch", fetch);
  const proxy = createSupabaseProxy(
    "https://project.example",
    0,
    createLog(() => undefined),
    vi.fn(),
  );
  const headers = { "x-forwarded-for": "203.0.113.9" };
  expect(
    (await proxy.request("/auth/v1/token?grant_type=password", { method: "POST", headers })).status,
  ).toBe(200);
  expect(fetch.mock.calls[0]?.[0].url).toBe("https://project.example/auth/v1/token?grant_type=password");
  expect(fetch.mock.calls[0]?.[0].headers.has("x-forwarded-for")).toBe(false);
});
