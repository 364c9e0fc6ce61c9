import { afterEach, expect, test, vi } from "vitest";
import { createLog } from "../http/log.ts";
import { createSupabaseProxy } from "./supabase-proxy.ts";

afterEach(() => vi.unstubAllGlobals());

async function clearsPages(method: string, path: string, status = 201): Promise<boolean> {
  vi.stubGlobal("fetch", async () => new Response(null, { status }));
  const onWrite = vi.fn();
  const log = createLog(() => undefined);
  const proxy = createSupabaseProxy({ url: "https://project.example", trustedProxies: 0, log, onWrite });
  const env = { incoming: { socket: { remoteAddress: "192.0.2.1" } } };
  await proxy.request(path, { method }, env);
  return onWrite.mock.calls.length > 0;
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

test("a write that the project refuses leaves the page cache alone", async () => {
  expect(await clearsPages("POST", "/rest/v1/articles", 403)).toBe(false);
});
