import { Hono } from "hono";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { accessLog } from "./access-log.ts";
import { createLog } from "./log.ts";

const written: string[] = [];
const linesOf = () => written.map((line): Record<string, unknown> => JSON.parse(line));

/** A site with an empty log, before its first failure. */
function openSite() {
  const app = new Hono();
  app.use(async (c, next) => {
    c.set("requestId", "1");
    c.set("memberId", c.req.header("member"));
    await next();
  });
  app.use(
    accessLog(
      createLog((line) => void written.push(line)),
      (c) => c.req.header("from") ?? "nobody",
    ),
  );
  app.all("/full", (c) => c.text("", 429));
  app.all("/busy", (c) => c.text("", 503));
  app.all("/broken", (c) => {
    c.get("reportFailure")({ reason: "The database is down" }, "page.failed");
    return c.text("", 503);
  });
  app.all("/twice", (c) => {
    for (const reason of ["The first", "The second"]) c.get("reportFailure")({ reason }, "read.failed");
    return c.text("");
  });
  app.all("/late", (c) => {
    setTimeout(() => c.get("reportFailure")({ reason: "Later" }, "render.failed"), 1);
    return c.text("");
  });
  app.all("/rejected", (c) => c.text("", 400));
  app.all("/healthz", (c) => {
    if (c.req.header("from")) c.get("reportFailure")({}, "probe.failed");
    return c.text("");
  });
  app.all("/slow", (c) => {
    vi.advanceTimersByTime(1_234.56);
    return c.text("");
  });
  app.all("*", (c) => c.text(""));
  return app;
}

let app = openSite();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  app = openSite();
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

test("a line has the request's method, path, status and time, and neither the query nor the code of an invitation link", async () => {
  for (const path of ["/articles?q=secret", "/join/secret", "/join/secret.data", `/${"x".repeat(300)}`])
    await app.request(path, { method: "HEAD" });
  expect(linesOf()).toMatchObject(
    ["/articles", "/join/…", "/join/….data", `/${"x".repeat(199)}`].map((path) => ({
      ...{ event: "request", level: "info", requestId: "1", method: "HEAD", status: 200, ms: 0 },
      path,
    })),
  );
});

test("a probe has a line only if it fails", async () => {
  for (const path of ["/healthz", "/readyz", "/healthz/x"]) await app.request(path);
  await app.request("/healthz", { headers: { from: "203.0.113.1" } });
  expect(linesOf().map(({ path, event }) => [path, event])).toEqual([
    ["/healthz/x", "request"],
    ["/healthz", "probe.failed"],
  ]);
});

test("a line has the time in milliseconds with one digit after the point", async () => {
  await app.request("/slow");
  expect(linesOf()[0]).toMatchObject({ ms: 1_234.6 });
});

test("a line about a write that was rejected doesn't name the member, and one by a visitor has no such field", async () => {
  await app.request("/rejected", { method: "POST", headers: { member: "a-member" } });
  await app.request("/articles", { method: "POST" });
  expect(linesOf().map((line) => "member" in line)).toEqual([false, false]);
});

test("failures of two routes, or with two reasons, are logged apart", async () => {
  for (const path of ["/broken", "/twice", "/broken"]) await app.request(path);
  expect(linesOf().map(({ event }) => event)).toEqual(["page.failed", "read.failed", "request"]);
});

test("a line about a failed request has the reason and the status of the response, once a second for the same reason", async () => {
  for (const path of ["/broken", "/broken", "/twice"]) await app.request(path);
  vi.advanceTimersByTime(1_001);
  await app.request("/broken");
  expect(
    linesOf().map(({ level, event, reason, status, omitted }) => [level, event, reason, status, omitted]),
  ).toEqual([
    ["error", "page.failed", "The database is down", 503, undefined],
    ["info", "request", undefined, 503, undefined],
    ["error", "read.failed", "The first", 200, undefined],
    ["error", "page.failed", "The database is down", 503, 1],
  ]);
});

test("a failure after the response is logged in another line", async () => {
  await app.request("/late");
  await expect.poll(() => linesOf().length).toBe(2);
  expect(linesOf()[1]).toMatchObject({ event: "render.failed", reason: "Later", requestId: "1" });
});

test("repeated failures after their responses are logged once a second", async () => {
  const reports: (() => void)[] = [];
  const site = new Hono();
  site.use(
    accessLog(
      createLog((line) => void written.push(line)),
      () => "nobody",
    ),
  );
  site.get("/", (c) => {
    const report = c.get("reportFailure");
    reports.push(() => report({ reason: "Later" }, "render.failed"));
    return c.text("");
  });
  await site.request("/");
  await site.request("/");
  for (const report of reports) report();
  vi.advanceTimersByTime(1_001);
  reports[0]?.();
  expect(linesOf().map(({ event }) => event)).toEqual([
    "request",
    "request",
    "render.failed",
    "render.failed",
  ]);
});
