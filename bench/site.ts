import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, type Session, type SupabaseClient } from "@supabase/supabase-js";
import type pg from "pg";
import type { Keys } from "../server/config/keys.ts";
import { connectAdmin, newDataDir, readKeys } from "../tests/support/data-dir.ts";
import { createCommunity, type Member } from "../tests/support/members.ts";
import { launchSite } from "../tests/support/site-process.ts";
import { getRaw } from "../tests/support/visiting.ts";
import { loadItems } from "./data.ts";
import { ownCpu } from "./usage.ts";

export interface RunningSite {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export interface MeasuredSite extends RunningSite {
  dataDir: string;
  keys: Keys;
  admin: pg.Client;
  /** Wrote the newest article. */
  member: Member;
  session: Session;
}

/** Starts the built site and resolves with its first page. It logs nowhere. */
export async function startSite(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<RunningSite> {
  const { url, child, end } = await launchSite(
    { HOST: "127.0.0.1", DATA_DIR: dataDir, SEED: "none", ...settings },
    { isSilent: true },
  );
  const isServing = () =>
    getRaw(`${url}/`).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isServing())) {
    if (child.exitCode !== null) throw new Error(`The site ended with code ${child.exitCode}`);
    await sleep(5);
  }
  return { url, pid: child.pid ?? 0, stop: async () => void (await end("SIGTERM")) };
}

/** Waits until what runs after the start is done: it begins within a second. */
async function rest(pid: number): Promise<void> {
  await sleep(1_000);
  let used: number;
  do {
    const before = await ownCpu(pid);
    await sleep(500);
    used = (await ownCpu(pid)) - before;
  } while (used > 10);
}

/** With `size` items of each kind; no page of it is cached yet. */
export async function startMeasuredSite(size: number): Promise<MeasuredSite> {
  process.stderr.write(`Loading ${size} items of each kind…\n`);
  const dataDir = await newDataDir();
  const first = await startSite(dataDir);
  const keys = await readKeys(dataDir);
  const community = createCommunity({ url: first.url, keys });
  const member = await community.addMember({ username: "bench", full_name: "Bench" });
  const session = await community.openSession(member);
  const loader = await connectAdmin(dataDir);
  await loadItems(loader, size, member.id);
  await loader.end();
  await first.stop();

  const site = await startSite(dataDir);
  await rest(site.pid);
  const admin = await connectAdmin(dataDir);
  async function stop() {
    await admin.end();
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  return { ...site, dataDir, keys, admin, member, session, stop };
}

export function clientOf(url: string, { keys, session }: MeasuredSite): SupabaseClient {
  return createClient(url, keys.anonKey, { accessToken: async () => session.access_token });
}

export function getPage(url: string) {
  return getRaw(url, { "Accept-Encoding": "br" });
}

/** The newest article's own page, and its author's. */
export async function ownPages({ admin }: MeasuredSite): Promise<[string, string]> {
  const { rows } = await admin.query<{ id: string }>(
    "select id from public.articles where published order by created_at desc, id limit 1",
  );
  return [`/articles/${rows[0]?.id}`, "/profile/bench"];
}
