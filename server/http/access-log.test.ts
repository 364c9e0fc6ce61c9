import { Hono } from "hono";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { accessLog } from "./access-log.ts";
import { createLog } from "./log.ts";

const written: string[] = [];
const linesOf = () => written.map((line): Record<string, unknown> => JSON.parse(line));

const app = new Hono();
app.use(
  accessLog(
    createLog((line) => void written.push(line)),
    (c) => c.req.header("from") ?? "nobody",
  ),
);
app.use(async (c, next) => {
  c.set("requestId", "1");
  c.set("memberId", c.req.header("member"));
  await next();
});
app.all("/full", (c) => c.text("", 429));
app.all("/busy", (c) => c.text("", 503));
app.all("/broken", (c) => {
  c.get("reportFailure")({ reason: "The database is down" }, "page.failed");
  return c.text("", 503);
});
app.all("*", (c) => c.text(""));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  written.length = 0;
});

test("a line about a request that a limit rejects names the client, once per client and minute", async () => {
  const send = (path: string, headers: Record<string, string>) => app.request(path, { headers });
  for (const path of ["/full", "/full", "/busy"]) await send(path, { from: "203.0.113.1" });
  await send("/busy", { from: "203.0.113.2" });
  await send("/full", { from: "203.0.113.2", member: "a-member" });
  vi.advanceTimersByTime(61_000);
  await send("/full", { from: "203.0.113.1" });
  expect(linesOf().map(({ client }) => client)).toEqual([
    "203.0.113.1",
    undefined,
    undefined,
    "203.0.113.2",
    "a-member",
    "203.0.113.1",
  ]);
});

test("lines about failures, served requests and probes name no client", async () => {
  for (const path of ["/broken", "/articles"]) await app.request(path, { headers: { from: "203.0.113.9" } });
  expect(linesOf().map(({ event, client }) => [event, client])).toEqual([
    ["page.failed", undefined],
    ["request", undefined],
  ]);
});

test("a line about a write names the member, and one about a read, a search or a rejected write doesn't", async () => {
  const headers = { member: "a-member" };
  await app.request("/rest/v1/articles", { method: "POST", headers });
  await app.request("/rest/v1/articles", { headers });
  await app.request("/rest/v1/rpc/search", { method: "POST", headers });
  await app.request("/broken", { method: "POST", headers });
  await app.request("/auth/v1/token", { method: "POST" });
  expect(linesOf().map(({ member }) => member)).toEqual([
    "a-member",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
