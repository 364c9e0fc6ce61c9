import { rm } from "node:fs/promises";
import type { OutgoingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ownCpu } from "../tests/support/cpu.ts";
import { connectAdmin, newDataDir, readKeys } from "../tests/support/data-dir.ts";
import { createCommunity } from "../tests/support/members.ts";
import { launchSite } from "../tests/support/site-process.ts";
import { getRaw } from "../tests/support/visiting.ts";
import { loadItems } from "./data.ts";

export type RunningSite = Pick<Awaited<ReturnType<typeof startSite>>, "url" | "pid">;
/** `member` is the author of the newest article. */
export type MeasuredSite = Awaited<ReturnType<typeof startMeasuredSite>>;

/** Starts the built site, or another server, without output. Resolves once the first page is served. */
export async function startSite(settings: Record<string, string>, program = "server/main.ts") {
  const all = { HOST: "127.0.0.1", SEED: "none", ...settings };
  const { url, child, end } = await launchSite(all, { program, isSilent: true });
  while ((await getRaw(`${url}/`).catch(() => null))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`The site exited with code ${child.exitCode}`);
    await sleep(5);
  }
  return { url, pid: child.pid ?? 0, stop: () => end("SIGTERM") };
}

/** Starts a server that responds to every request with these bytes. */
export function startBareServer(headers: OutgoingHttpHeaders, body: Buffer) {
  const settings = { HEADERS: JSON.stringify(headers), BODY: body.toString("base64") };
  return startSite(settings, "bench/lab/bare-server.ts");
}

/** Starts a site with `size` items of each kind and no cached pages. */
export async function startMeasuredSite(size: number) {
  process.stderr.write(`Loading ${size} items of each kind…\n`);
  const dataDir = await newDataDir();
  const first = await startSite({ DATA_DIR: dataDir });
  const keys = await readKeys(dataDir);
  const community = createCommunity({ url: first.url, keys });
  const member = await community.addMember({ username: "bench", full_name: "Bench" });
  const session = await community.openSession(member);
  const loader = await connectAdmin(dataDir);
  await loadItems(loader, size, member.id);
  await loader.end();
  await first.stop();

  const site = await startSite({ DATA_DIR: dataDir });
  // Wait until the jobs that the site runs after its start have ended.
  let before: number;
  do {
    before = await ownCpu(site.pid);
    await sleep(1_000);
  } while ((await ownCpu(site.pid)) - before > 20);
  const admin = await connectAdmin(dataDir);
  async function stop() {
    await admin.end();
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  return { ...site, dataDir, keys, admin, member, session, stop };
}

const shared = new Map<number, Promise<MeasuredSite>>();

/** Returns the running site of this size. Benchmarks share it, because loading the items takes long. */
export function siteOf(size: number): Promise<MeasuredSite> {
  const site = shared.get(size) ?? startMeasuredSite(size);
  shared.set(size, site);
  return site;
}

export async function stopSites(): Promise<void> {
  for (const site of shared.values()) await site.then(({ stop }) => stop()).catch(() => undefined);
}

export function getPage(url: string) {
  return getRaw(url, { "Accept-Encoding": "br" });
}

/** Returns the ids of published articles, newest first. */
export async function newestArticles({ admin }: MeasuredSite, count: number, offset = 0): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    "select id from public.articles where published order by created_at desc, id limit $1 offset $2",
    [count, offset],
  );
  return rows.map(({ id }) => id);
}

export async function ownPages(site: MeasuredSite): Promise<string[]> {
  return [`/articles/${await newestArticles(site, 1)}`, "/profile/bench"];
}
