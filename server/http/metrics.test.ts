import { Hono } from "hono";
import { expect, test } from "vitest";
import { metricsAccess } from "./metrics.ts";

const TOKEN = "a-token-of-23-characters";

async function ask(token: string | undefined, headers: Record<string, string> = {}) {
  const app = new Hono();
  app.get("/metrics", metricsAccess(token), (context) => context.text("measured"));
  const incoming = { socket: { remoteAddress: "127.0.0.1", remoteFamily: "IPv4", remotePort: 1 } };
  return app.request("/metrics", { headers }, { incoming });
}

test("without METRICS_TOKEN nobody reads the metrics, programs on the same machine included", async () => {
  expect((await ask(undefined)).status).toBe(404);
  expect((await ask(undefined, { authorization: `Bearer ${TOKEN}` })).status).toBe(404);
});

test.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`])("%s opens the metrics", async (authorization) => {
  expect((await ask(TOKEN, { authorization })).status).toBe(200);
});

test.each([
  ["", 401],
  ["Bearer x", 401],
  [`Bearer ${TOKEN}x`, 401],
  ["Bearer", 400],
  [`Basic ${TOKEN}`, 400],
  [TOKEN, 400],
])("%j does not open the metrics", async (authorization, status) => {
  const answer = await ask(TOKEN, authorization === "" ? {} : { authorization });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("WWW-Authenticate")).toContain("Bearer");
});
