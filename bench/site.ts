import { rm } from "node:fs/promises";
import type pg from "pg";
import { createTokens } from "../server/auth/access-token.ts";
import type { Keys } from "../server/config/keys.ts";
import { connectAdmin, newDataDir, readKeys } from "../tests/support/data-dir.ts";
import { launchSite } from "../tests/support/site-process.ts";
import { loadItems } from "./data.ts";
import { ownCpu } from "./process-usage.ts";

/** A site in a process of its own, as `npm start` runs it. */
export interface RunningSite {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** A running site with a data set, and the way behind it. */
export interface MeasuredSite extends RunningSite {
  size: number;
  dataDir: string;
  keys: Keys;
  /** The database's superuser. */
  admin: pg.Client;
  /** An article's author and their token. */
  member: { id: string; token: string };
}

/** The built site, as soon as its process runs. It logs nowhere. */
export async function spawnSite(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<RunningSite> {
  const site = await launchSite(
    { HOST: "127.0.0.1", DATA_DIR: dataDir, SEED: "none", ...settings },
    { isSilent: true },
  );
  return {
    url: site.url,
    pid: site.child.pid ?? 0,
    stop: async () => void (await site.end("SIGTERM")),
  };
}

/** Throws when its process ends or a minute has passed. */
export async function answering({ url, pid }: RunningSite): Promise<void> {
  const until = performance.now() + 60_000;
  while (performance.now() < until) {
    process.kill(pid, 0);
    const status = await fetch(`${url}/`).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("The site does not answer");
}

const LOOK_MS = 500;
const IDLE = 0.02;

/** What is done after the start is done: its processor rests. */
async function resting({ pid }: RunningSite): Promise<void> {
  for (let before = await ownCpu(pid); ; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const now = await ownCpu(pid);
    if (now - before < IDLE * LOOK_MS) return;
    before = now;
  }
}

/** With `size` items of each kind; no page of it is cached yet. */
export async function startMeasuredSite(size: number): Promise<MeasuredSite> {
  const dataDir = await newDataDir();
  const first = await spawnSite(dataDir);
  await answering(first);
  const loader = await connectAdmin(dataDir);
  await loadItems(loader, size);
  await loader.end();
  await first.stop();

  const site = await spawnSite(dataDir);
  await answering(site);
  // What it renders ahead begins a second after the start.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await resting(site);
  const keys = await readKeys(dataDir);
  const admin = await connectAdmin(dataDir);
  const author = await admin.query<{ author_id: string }>(
    "select author_id from public.articles order by created_at desc limit 1",
  );
  const id = author.rows[0]?.author_id ?? "";
  const exp = Math.floor(Date.now() / 1000) + 28_800;
  const token = await createTokens(keys.jwtSecret).sign({ role: "authenticated", sub: id, exp });
  return {
    ...site,
    size,
    dataDir,
    keys,
    admin,
    member: { id, token },
    async stop() {
      await admin.end();
      await site.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The newest article's own page, and its author's. */
export async function ownPages({ url, admin }: MeasuredSite): Promise<[string, string]> {
  const { rows } = await admin.query<{ id: string; author: string }>(
    "select id, author_id as author from public.articles where published order by created_at desc, id limit 1",
  );
  // By id one is led to the page by name.
  const author = await fetch(`${url}/profile/${rows[0]?.author}`);
  return [`/articles/${rows[0]?.id}`, new URL(author.url).pathname];
}
