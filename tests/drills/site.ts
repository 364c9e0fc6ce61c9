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

/** A site that can be killed and restarted on the same port and data directory. */
export interface DrillSite {
  url: string;
  port: number;
  dataDir: string;
  keys: Keys;
  /** The current process, which changes with every `start`. */
  child(): ChildProcess;
  /** Everything that the current and earlier processes have printed. */
  output(): string;
  /** Sends the signal, and resolves when the process has ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; milliseconds: number }>;
  /** Starts the site again, and resolves when it reports that it is running. */
  start(): Promise<void>;
  /** Connects to the embedded database as superuser. */
  admin(): Promise<pg.Client>;
  postgresPid(): Promise<number>;
  /** Stops the site, and deletes its data unless the caller passed a `dataDir`. */
  remove(): Promise<void>;
}

export interface SiteOptions {
  settings?: Record<string, string>;
  /** A folder that is empty or contains a site's data. The caller deletes it. Defaults to a new temporary folder. */
  dataDir?: string;
}

/** Starts the built site on a free port. A new database is empty unless `settings` sets SEED. */
async function openSite({ settings = {}, dataDir }: SiteOptions = {}): Promise<DrillSite> {
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
    const start = performance.now();
    const { code } = await site.end(signal);
    return { code, milliseconds: performance.now() - start };
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

/** Starts a site, runs `work` on it, and removes the site even if `work` fails. */
export async function withSite<T>(options: SiteOptions, work: (site: DrillSite) => Promise<T>): Promise<T> {
  const site = await openSite(options);
  try {
    return await work(site);
  } finally {
    await site.remove();
  }
}

export interface Author {
  id: string;
  email: string;
  password: string;
  token: string;
}

/** Adds a member and signs them in. */
export async function makeAuthor(site: DrillSite): Promise<Author> {
  const community = createCommunity(site);
  const member = await community.addMember({ full_name: "A member" });
  // `addMember` hashes passwords cheaply. Setting the password again makes signing in take a realistic time.
  await community.admin.auth.admin.updateUserById(member.id, { password: member.password });
  return { ...member, token: (await community.openSession(member)).access_token };
}

/** Returns the milliseconds until `isMet` returns true. Throws after `limit` milliseconds. */
export async function until(what: string, limit: number, isMet: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  while (!(await isMet().catch(() => false))) {
    if (performance.now() - start > limit) throw new Error(`Timed out after ${limit} ms: ${what}`);
    await sleep(20);
  }
  return performance.now() - start;
}
