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

test.each(["POST", "PATCH", "DELETE"])(
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
