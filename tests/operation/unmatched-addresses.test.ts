import { afterAll, expect, test } from "vitest";
import { startTestApp } from "../support/test-app.ts";

const site = await startTestApp();
afterAll(() => site.stop());

const addresses = [
  "/articles%0aX",
  "/%0a",
  "/people%0a",
  "/people%0d",
  "/profile/%0a",
  "/articles/%0a",
  "/a%E2%80%A8b",
  "/a%E2%80%A9b",
  "/%00",
  "/%ff",
  "/nowhere%0a/else",
];

test.each(addresses)("%s matches no page and gets 404", async (address) => {
  const page = await site.ask(address);
  expect(page.status).toBe(404);
  expect(page.headers.get("content-type")).toContain("text/html");
  expect((await site.ask(`${address}.data`)).status).toBe(404);
});

test.each([
  ["/%61rticles?q=a", "/articles?q=a"],
  ["/%70eople.data", "/people.data"],
  ["/articles/?q=a", "/articles?q=a"],
  ["/articles/_.data?q=a", "/articles.data?q=a"],
  ["//articles", "/articles"],
])("%s redirects to %s, the only address of that page", async (address, location) => {
  const page = await site.ask(address);
  expect([page.status, page.headers.get("location")]).toEqual([301, location]);
  expect((await site.ask(location)).status).toBe(200);
});

test("a social card has an ETag and can be shown on other sites, also when it hasn't changed", async () => {
  const card = await site.ask("/cards/site.png");
  const tag = card.headers.get("etag") ?? "";
  expect([card.status, card.headers.get("cross-origin-resource-policy")]).toEqual([200, "cross-origin"]);
  expect(tag).toMatch(/^"[\w-]{27}"$/);
  const again = await site.ask("/cards/site.png", { headers: { "If-None-Match": tag } });
  expect([
    again.status,
    again.headers.get("etag"),
    again.headers.get("cross-origin-resource-policy"),
  ]).toEqual([304, tag, "cross-origin"]);
});
