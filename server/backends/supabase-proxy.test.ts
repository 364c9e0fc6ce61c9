import { afterEach, expect, test, vi } from "vitest";
import { createLog } from "../http/log.ts";
import { createSupabaseProxy } from "./supabase-proxy.ts";

afterEach(() => vi.unstubAllGlobals());

/** The proxy's request to the project, and whether it marked the page cache stale. */
async function handOn(path: string, init: RequestInit, status = 201) {
  const fetch = vi.fn(async (_request: Request) => new Response(null, { status }));
  vi.stubGlobal("fetch", fetch);
  const onWrite = vi.fn();
  const log = createLog(() => undefined);
  const proxy = createSupabaseProxy("https://project.example", 0, log, onWrite);
  const env = { incoming: { socket: { remoteAddress: "192.0.2.1" } } };
  await proxy.request(path, init, env);
  return { asked: fetch.mock.calls[0]?.[0], isCleared: onWrite.mock.calls.length > 0 };
}

async function clearsPages(method: string, path: string, status?: number): Promise<boolean> {
  return (await handOn(path, { method }, status)).isCleared;
}

test.each(["POST", "PATCH", "DELETE"])(
  "a %s to a table of the project empties the page cache",
  async (method) => {
    expect(await clearsPages(method, "/rest/v1/articles")).toBe(true);
  },
);

test.each([
  ["POST", "/auth/v1/token?grant_type=refresh_token"],
  ["POST", "/auth/v1/token?grant_type=password"],
  ["POST", "/auth/v1/logout"],
  ["POST", "/rest/v1/rpc/search"],
  ["GET", "/rest/v1/articles"],
  ["HEAD", "/rest/v1/articles"],
])("a %s to %s of the project leaves the page cache alone", async (method, path) => {
  expect(await clearsPages(method, path)).toBe(false);
});

test("a write that the project rejects does not affect the page cache", async () => {
  expect(await clearsPages("POST", "/rest/v1/articles", 403)).toBe(false);
});

test("a client's Connection header cannot remove its address or key from the request to the project", async () => {
  const headers = { apikey: "key", connection: "close, x-forwarded-for, apikey" };
  const { asked } = await handOn("/rest/v1/articles", { headers });
  expect(asked?.headers.get("x-forwarded-for")).toBe("192.0.2.1");
  expect(asked?.headers.get("apikey")).toBe("key");
  expect(asked?.headers.get("connection")).toBeNull();
});

test("a request for a picture goes to the project's Storage and does not affect the page cache", async () => {
  const path = "/storage/v1/object/public/pictures/a/b.webp";
  const { asked, isCleared } = await handOn(path, { headers: { range: "bytes=0-3" } }, 206);
  expect([asked?.url, asked?.headers.get("range"), isCleared]).toEqual([
    `https://project.example${path}`,
    "bytes=0-3",
    false,
  ]);
});
