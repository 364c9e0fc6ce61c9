import { readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, test, vi } from "vitest";
import { postgresPid, readKeys } from "../support/data-dir.ts";
import { makeMember } from "../support/database.ts";
import { adminOf, clientOf, startHere, startProcess, temporaryCluster } from "../support/process.ts";
import type { SiteProcess } from "../support/site-process.ts";

const WAIT_OPTIONS = { timeout: 10_000 };

async function startSite(dataDir: string): Promise<SiteProcess> {
  const site = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
  await site.running();
  return site;
}

const startSiteHere = (dataDir: string) => startHere({ DATA_DIR: dataDir, SEED: "none" });

/** Treats a zombie (state Z in proc(5)) as dead. `kill` finds it, but only because its parent hasn't waited for it yet. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

const link = (owner: string, title: string) => ({ profile_id: owner, title, url: "/", category: "Test" });

/** Starts eight writers, which run until a write fails or PostgreSQL restarts. Collects the titles of successful writes. */
async function startWriting(site: Pick<SiteProcess, "stderr">, service: SupabaseClient, owner: string) {
  const acknowledged: string[] = [];
  const writeUntilFailure = async (writer: number) => {
    for (let count = 0; !site.stderr().includes("postgres.restarted"); count++) {
      const title = `${writer}/${count}`;
      const { error } = await service.from("useful_links").insert(link(owner, title));
      if (error) return;
      acknowledged.push(title);
    }
  };
  const ended = Promise.all(Array.from({ length: 8 }, (_, writer) => writeUntilFailure(writer)));
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(20), WAIT_OPTIONS);
  return { acknowledged, ended };
}

async function expectRecovered(service: SupabaseClient, owner: string, acknowledged: string[]) {
  expect((await service.from("useful_links").insert(link(owner, "After"))).error).toBeNull();
  const { data } = await service.from("useful_links").select("title");
  const kept = new Set(data?.map((row) => row.title));
  expect(acknowledged.filter((title) => !kept.has(title))).toEqual([]);
}

test("after kill -9 of the server during writes, the next start stops the leftover PostgreSQL and keeps every acknowledged write", async () => {
  const dataDir = await temporaryCluster();
  const first = await startSite(dataDir);
  const { serviceKey } = await readKeys(dataDir);
  const owner = await makeMember(await adminOf(dataDir));
  const { acknowledged, ended } = await startWriting(first, clientOf(first, serviceKey), owner);
  expect(await first.end("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" });
  await ended;
  const leftover = await postgresPid(dataDir);
  expect(isAlive(leftover)).toBe(true);

  const second = await startSiteHere(dataDir);
  expect(isAlive(leftover)).toBe(false);
  await expectRecovered(clientOf(second, serviceKey), owner, acknowledged);
});

test("after kill -9 of PostgreSQL during writes, the server restarts it, and every acknowledged write is kept", async () => {
  const dataDir = await temporaryCluster();
  const site = await startSiteHere(dataDir);
  const { serviceKey } = await readKeys(dataDir);
  const owner = await makeMember(await adminOf(dataDir));
  const service = clientOf(site, serviceKey);
  const { acknowledged, ended } = await startWriting(site, service, owner);
  const killed = await postgresPid(dataDir);
  process.kill(killed, "SIGKILL");
  await ended;
  await vi.waitFor(async () => expect((await fetch(`${site.url}/readyz`)).status).toBe(200), WAIT_OPTIONS);
  expect(await postgresPid(dataDir)).not.toBe(killed);
  await expectRecovered(service, owner, acknowledged);
  await vi.waitFor(() => expect(site.stderr()).toContain("postgres.restarted"), WAIT_OPTIONS);
});

test("a site recovers after both the server and PostgreSQL were killed, even if the process ids in its lock files now belong to another process", async () => {
  const dataDir = await temporaryCluster();
  const first = await startSite(dataDir);
  const { serviceKey } = await readKeys(dataDir);
  const owner = await makeMember(await adminOf(dataDir));
  const { error } = await clientOf(first, serviceKey).from("useful_links").insert(link(owner, "Kept"));
  expect(error).toBeNull();
  const postgres = await postgresPid(dataDir);
  const socketLock = path.join(dataDir, "postgres/run/.s.PGSQL.5432.lock");
  const files = [path.join(dataDir, "postgres/postmaster.pid"), socketLock];
  const contents = await Promise.all(files.map((file) => readFile(file, "utf8")));
  await first.end("SIGKILL");
  process.kill(postgres, "SIGKILL");
  // Write this test's process id into the lock files, as if the system had reused PostgreSQL's after the crash.
  for (const [index, file] of files.entries()) {
    await writeFile(file, (contents[index] ?? "").replace(/^\d+/, String(process.pid)));
  }
  // Earlier releases of Techfolio created this folder for PostgreSQL's socket. It must not keep the site from starting.
  await mkdir(path.join(dataDir, "run"));
  const second = await startSiteHere(dataDir);
  const { data } = await clientOf(second, serviceKey).from("useful_links").select("title");
  expect(data).toEqual([{ title: "Kept" }]);
});
