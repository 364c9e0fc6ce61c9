import type { ChildProcess } from "node:child_process";
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Keys } from "../../server/auth/keys.ts";
import { newClusterDir } from "../support/cluster.ts";
import { connectAdmin, postgresPid, readKeys } from "../support/data-dir.ts";
import { freePort } from "../support/free-port.ts";
import { createCommunity } from "../support/members.ts";
import { launchSite, type SiteProcess } from "../support/site-process.ts";

/** A site that can be killed and started again at the same place. */
export interface DrillSite {
  url: string;
  port: number;
  dataDir: string;
  keys: Keys;
  /** The process that runs at the moment. */
  child(): ChildProcess;
  /** Everything printed so far, by all its processes. */
  output(): string;
  /** Resolves when the process has ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; milliseconds: number }>;
  /** Resolves when it announces itself. */
  start(): Promise<void>;
  /** Opens a connection of the embedded database's superuser. */
  admin(): Promise<pg.Client>;
  postgresPid(): Promise<number>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/** What a drill may choose of its site. */
export interface Choice {
  settings?: Record<string, string>;
  /** An empty folder that the drill removes itself. */
  dataDir?: string;
}

/** Starts the built site on a free port with an empty database. */
async function openSite({ settings = {}, dataDir }: Choice = {}): Promise<DrillSite> {
  const folder = dataDir ?? (await newClusterDir());
  const port = await freePort();
  let earlier = "";
  let site = await launch();

  async function launch(): Promise<SiteProcess> {
    const launched = await launchSite({ PORT: String(port), DATA_DIR: folder, SEED: "none", ...settings });
    await launched.running();
    return launched;
  }

  async function end(signal: NodeJS.Signals) {
    const begin = performance.now();
    const { code } = await site.end(signal);
    return { code, milliseconds: performance.now() - begin };
  }

  return {
    url: site.url,
    port,
    dataDir: folder,
    keys: await readKeys(folder),
    child: () => site.child,
    output: () => earlier + site.output(),
    end,
    async start() {
      earlier += site.output();
      site = await launch();
    },
    admin: () => connectAdmin(folder),
    postgresPid: () => postgresPid(folder),
    async remove() {
      await end("SIGTERM");
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Removes the site whatever happens. */
export async function withSite<T>(choice: Choice, work: (site: DrillSite) => Promise<T>): Promise<T> {
  const site = await openSite(choice);
  try {
    return await work(site);
  } finally {
    await site.remove();
  }
}

/** Who may write: id and access token. */
export interface Author {
  id: string;
  email: string;
  password: string;
  token: string;
}

/** A member with an open session. */
export async function makeAuthor(site: DrillSite): Promise<Author> {
  const community = createCommunity(site);
  const member = await community.addMember({ full_name: "A member" });
  // Signing in costs what it costs in earnest.
  await community.admin.auth.admin.updateUserById(member.id, { password: member.password });
  return { ...member, token: (await community.openSession(member)).access_token };
}

/** Milliseconds until the condition holds. Throws when the time is up. */
export async function until(what: string, limit: number, isMet: () => Promise<boolean>): Promise<number> {
  const begin = performance.now();
  while (!(await isMet().catch(() => false))) {
    if (performance.now() - begin > limit) throw new Error(`Not within ${limit} ms: ${what}`);
    await sleep(20);
  }
  return performance.now() - begin;
}
