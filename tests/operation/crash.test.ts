import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { postgresPid, readKeys } from "../support/data-dir.ts";
import { makeMember } from "../support/database.ts";
import { adminOf, clientOf, startProcess, temporaryCluster } from "../support/process.ts";
import type { SiteProcess } from "../support/site-process.ts";

const patience = { timeout: 10_000 };

async function startSite(dataDir: string): Promise<SiteProcess> {
  const site = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
  await site.running();
  return site;
}

/** One that was killed has ended although its parent has not waited for it yet (proc(5): state Z). */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

/** Writes links until one fails or the database was started again; the titles of those that were acknowledged. */
async function writeUntilFailure(site: SiteProcess, serviceKey: string, owner: string): Promise<string[]> {
  const service = clientOf(site, serviceKey);
  const acknowledged: string[] = [];
  for (;;) {
    if (site.stderr().includes("postgres.restarted")) return acknowledged;
    const title = `Link ${acknowledged.length}`;
    const row = { profile_id: owner, title, url: "https://example.com", category: "Test" };
    const { error } = await service.from("useful_links").insert(row);
    if (error) return acknowledged;
    acknowledged.push(title);
  }
}

test("after kill -9 the next start stops what was left and has every acknowledged write", async () => {
  const dataDir = await temporaryCluster();
  const first = await startSite(dataDir);
  const { serviceKey } = await readKeys(dataDir);
  const admin = await adminOf(dataDir);
  const owner = await makeMember(admin);
  const writing = writeUntilFailure(first, serviceKey, owner);
  await vi.waitFor(async () => {
    const { rows } = await admin.query("select count(*)::int as links from public.useful_links");
    expect(rows[0]?.links).toBeGreaterThan(20);
  }, patience);
  expect(await first.end("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" });
  const acknowledged = await writing;
  const leftover = await postgresPid(dataDir);
  expect(isAlive(leftover)).toBe(true);

  const second = await startSite(dataDir);
  expect(isAlive(leftover)).toBe(false);
  const { data } = await clientOf(second, serviceKey).from("useful_links").select("title");
  const kept = new Set(data?.map((row) => row.title));
  expect(acknowledged.filter((title) => !kept.has(title))).toEqual([]);
});

test("PostgreSQL that is killed is started again, and nothing is lost", async () => {
  const dataDir = await temporaryCluster();
  const site = await startSite(dataDir);
  const { serviceKey } = await readKeys(dataDir);
  const owner = await makeMember(await adminOf(dataDir));
  const writing = writeUntilFailure(site, serviceKey, owner);
  const killed = await postgresPid(dataDir);
  process.kill(killed, "SIGKILL");
  const acknowledged = await writing;
  await vi.waitFor(async () => expect((await fetch(`${site.url}/readyz`)).status).toBe(200), {
    timeout: 10_000,
  });
  expect(await postgresPid(dataDir)).not.toBe(killed);
  const { data } = await clientOf(site, serviceKey).from("useful_links").select("title");
  const kept = new Set(data?.map((row) => row.title));
  expect(acknowledged.filter((title) => !kept.has(title))).toEqual([]);
  expect(site.stderr()).toContain("postgres.restarted");
});

test("after a kill -9 of both the next start recovers", async () => {
  const dataDir = await temporaryCluster();
  const first = await startSite(dataDir);
  const { serviceKey } = await readKeys(dataDir);
  const owner = await makeMember(await adminOf(dataDir));
  const row = { profile_id: owner, title: "Kept", url: "/", category: "Test" };
  expect((await clientOf(first, serviceKey).from("useful_links").insert(row)).error).toBeNull();
  const postgres = await postgresPid(dataDir);
  await first.end("SIGKILL");
  process.kill(postgres, "SIGKILL");
  const second = await startSite(dataDir);
  const { data } = await clientOf(second, serviceKey).from("useful_links").select("title");
  expect(data).toEqual([{ title: "Kept" }]);
});
