import { expect, test } from "vitest";
import { signKeys } from "../../server/auth/keys.ts";
import { startExternalServer } from "../support/external-server.ts";
import { startHere, startProcess, temporaryCluster } from "../support/process.ts";
import type { SiteProcess } from "../support/site-process.ts";

const AUTH_JWT_SECRET = "x".repeat(32);

function linesOf(site: Pick<SiteProcess, "stderr">): Record<string, unknown>[] {
  const lines = site.stderr().split("\n");
  return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
}

test("in an outage of the database, each failed request gets Retry-After and writes one line with its reason, cached pages are served, and probes write none", async () => {
  const server = await startExternalServer();
  const site = await startHere({
    DATABASE_URL: await server.createDatabase(),
    AUTH_JWT_SECRET,
    SEED: "none",
  });
  expect((await fetch(`${site.url}/useful-links`)).status).toBe(200);
  await server.stop();
  const { anonKey } = await signKeys(AUTH_JWT_SECRET);
  const headers = { apikey: anonKey, Authorization: `Bearer ${anonKey}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ email: "a@example.com", password: "x" });
  const requests: [path: string, init?: RequestInit][] = [
    ["/"],
    ["/articles?q=outage"],
    ["/articles.data"],
    ["/people"],
    ["/search?q=outage"],
    ["/feed.xml"],
    ["/sitemap.xml"],
    ["/profile/nobody.json"],
    ["/rest/v1/articles?select=id", { headers }],
    ["/auth/v1/token?grant_type=password", { method: "POST", headers, body }],
    ["/storage/v1/object/public/pictures/5b0c4c43-9d0b-4d8f-8f1d-8b11d0f6e5b0/x.png"],
  ];
  const failed: { path: string; id: string }[] = [];
  for (const [path, init] of requests) {
    const response = await fetch(site.url + path, init);
    if (response.status < 500) continue;
    expect(response.headers.get("retry-after"), path).toMatch(/^\d+$/);
    failed.push({ path, id: response.headers.get("x-request-id") ?? "" });
  }
  expect((await fetch(`${site.url}/useful-links`)).status, "a page from the cache").toBe(200);
  expect(failed.length).toBeGreaterThan(8);
  await fetch(`${site.url}/healthz`);
  expect((await fetch(`${site.url}/readyz`)).status).toBe(503);
  await fetch(`${site.url}/favicon.svg`);
  await expect.poll(() => site.stderr()).toContain("/favicon.svg");

  for (const { path, id } of failed) {
    const lines = linesOf(site).filter(({ requestId }) => requestId === id);
    expect(lines, path).toHaveLength(1);
    expect(lines[0], path).toMatchObject({
      level: "error",
      path: path.split("?")[0],
      status: 503,
      ms: expect.any(Number),
      reason: expect.any(String),
      event: expect.stringMatching(/\.failed$/),
    });
  }
  expect(site.stderr()).not.toMatch(/healthz|readyz/);
});

test("a clean shutdown logs no warning and no error, in lines of JSON by default", async () => {
  const site = await startProcess({ DATA_DIR: await temporaryCluster(), SEED: "none" });
  await site.running();
  await Promise.all(["/", "/articles", "/people", "/feed.xml"].map((path) => fetch(site.url + path)));
  expect(await site.end("SIGTERM")).toEqual({ code: 0, signal: null });
  const lines = site.stderr().trim().split("\n");
  const records = lines.map((line): Record<string, unknown> => JSON.parse(line));
  expect(records.map(({ event }) => event)).toContain("request");
  expect(records.filter(({ level }) => level !== "info")).toEqual([]);
});
