import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Keys } from "../../server/keys.ts";
import nodeOptions from "../../server/node-options.json" with { type: "json" };
import { freePort } from "../fixtures/free-port.ts";
import { createCommunity } from "../fixtures/members.ts";

const root = path.resolve(import.meta.dirname, "../..");
const startPatience = 30_000;

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
  /** Takes a signal, sends it and returns once the process has ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; milliseconds: number }>;
  /** Starts it after it has ended, returns once it announces itself. */
  start(): Promise<void>;
  /** Opens a connection of the embedded database's superuser. */
  admin(): Promise<pg.Client>;
  /** Returns the process number of the embedded PostgreSQL. */
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

/** Starts the built site on a free port of the loopback address with an empty database. */
async function openSite({ settings = {}, dataDir }: Choice = {}): Promise<DrillSite> {
  const folder = dataDir ?? (await mkdtemp(path.join(tmpdir(), "techfolio-drill-")));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    PATH: process.env.PATH,
    TMPDIR: tmpdir(),
    NODE_ENV: "production",
    PORT: String(port),
    DATA_DIR: folder,
    SEED: "none",
    ...settings,
  };
  let output = "";
  let child = await launch();

  async function launch(): Promise<ChildProcess> {
    const before = output.length;
    // The last channel ends it together with the drill.
    const started = spawn(process.execPath, [...nodeOptions, path.join(root, "server/main.ts")], {
      cwd: tmpdir(),
      env: environment,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const channel of [started.stdout, started.stderr]) {
      channel?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    for (const until = Date.now() + startPatience; ; await sleep(10)) {
      if (output.includes("Techfolio is running", before)) return started;
      if (started.exitCode !== null || Date.now() > until) {
        started.kill("SIGKILL");
        throw new Error(`The site did not start:\n${output.slice(before)}`);
      }
    }
  }

  async function end(signal: NodeJS.Signals) {
    const begin = performance.now();
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, "exit");
      child.kill(signal);
      await exit;
    }
    return { code: child.exitCode, milliseconds: performance.now() - begin };
  }

  const keys = JSON.parse(await readFile(path.join(folder, "keys.json"), "utf8")) as Keys;
  return {
    url,
    port,
    dataDir: folder,
    keys,
    child: () => child,
    output: () => output,
    end,
    async start() {
      child = await launch();
    },
    async admin() {
      const password = await readFile(path.join(folder, "postgres.password"), "utf8");
      const host = path.join(folder, "run");
      const client = new pg.Client({ host, user: "postgres", password, database: "postgres" });
      client.on("error", () => undefined);
      await client.connect();
      return client;
    },
    async postgresPid() {
      return Number.parseInt(await readFile(path.join(folder, "postgres/postmaster.pid"), "utf8"), 10);
    },
    async remove() {
      await end("SIGTERM");
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Takes what to do with a site, does it, and removes the site whatever happens. */
export async function withSite<T>(choice: Choice, work: (site: DrillSite) => Promise<T>): Promise<T> {
  const site = await openSite(choice);
  try {
    return await work(site);
  } finally {
    await site.remove();
  }
}

/** Somebody who may write: his id and the access token of his session. */
export interface Author {
  id: string;
  email: string;
  password: string;
  token: string;
}

/** Takes a running site, makes a member with an open session. */
export async function makeAuthor(site: DrillSite): Promise<Author> {
  const community = createCommunity(site);
  const member = await community.addMember({ full_name: "A member" });
  return { ...member, token: (await community.openSession(member)).access_token };
}

/** Takes a condition and how long it may take, returns how long it took. Throws when it is not met by then. */
export async function until(what: string, limit: number, isMet: () => Promise<boolean>): Promise<number> {
  const begin = performance.now();
  while (!(await isMet().catch(() => false))) {
    if (performance.now() - begin > limit) throw new Error(`Not within ${limit} ms: ${what}`);
    await sleep(20);
  }
  return performance.now() - begin;
}
