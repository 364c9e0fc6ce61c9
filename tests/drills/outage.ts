import { readFile, rename } from "node:fs/promises";
import path from "node:path";
import { atRate, createClient, type Outcome } from "./client.ts";
import { type Drill, type Figure, none, quantile, within } from "./figure.ts";
import { type Author, type DrillSite, makeAuthor, until, withSite } from "./site.ts";

const RATE = 40;
const TIMEOUT_MS = 10_000;
/** Spreads the requests over client addresses, because the site limits how many it accepts from one address. */
const addressOf = (at: number) => `127.0.6.${(at % 200) + 1}`;

/** A fault of PostgreSQL. `start` makes it unavailable, and `end` lets it recover. */
interface Fault {
  name: string;
  start(site: DrillSite): Promise<void>;
  end(site: DrillSite): Promise<void>;
}

async function processTree(parent: number): Promise<number[]> {
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, "utf8");
  return [parent, ...children.trim().split(/\s+/).filter(Boolean).map(Number)];
}

/**
 * Waits until the state of every process is one of the letters in `states` (proc_pid_stat(5)).
 * A process that no longer exists has state `X`.
 */
async function waitForStates(what: string, pids: number[], states: string): Promise<void> {
  await until(what, TIMEOUT_MS, async () => {
    const reached = await Promise.all(pids.map(async (pid) => states.includes(await stateOf(pid))));
    return reached.every(Boolean);
  });
}

async function stateOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") X");
  return stat.charAt(stat.lastIndexOf(")") + 2);
}

/** Suspends every PostgreSQL process, so that connections stay open but get no response. */
const frozen: Fault = {
  name: "frozen",
  async start(site) {
    const family = await processTree(await site.postgresPid());
    for (const pid of family) process.kill(pid, "SIGSTOP");
    await waitForStates("all PostgreSQL processes are suspended", family, "T");
  },
  async end(site) {
    for (const pid of await processTree(await site.postgresPid())) process.kill(pid, "SIGCONT");
  },
};

/** Kills PostgreSQL and hides its control file, so that it cannot restart. */
function killed(): Fault {
  const controlFile = (site: DrillSite) => path.join(site.dataDir, "postgres/global/pg_control");
  return {
    name: "killed",
    async start(site) {
      const postgres = await site.postgresPid();
      const family = await processTree(postgres);
      await rename(controlFile(site), `${controlFile(site)}.away`);
      process.kill(postgres, "SIGKILL");
      // The child processes exit on their own once the postmaster is dead.
      await waitForStates("all PostgreSQL processes have ended", family, "XZ");
    },
    async end(site) {
      await rename(`${controlFile(site)}.away`, controlFile(site));
    },
  };
}

interface TimedOutcome extends Outcome {
  kind: string;
  at: number;
}

function kindsOf(site: DrillSite, author: Author, asset: string) {
  const member = { apikey: site.keys.anonKey, authorization: `Bearer ${author.token}` };
  return [
    { kind: "read", path: () => "/rest/v1/articles?limit=1", options: { headers: member } },
    {
      kind: "write",
      path: () => "/rest/v1/useful_links",
      options: {
        method: "POST",
        headers: { ...member, "content-type": "application/json" },
        body: JSON.stringify({ profile_id: author.id, title: "Drill", url: "/", category: "Drill" }),
      },
    },
    {
      kind: "sign-in",
      path: () => "/auth/v1/token?grant_type=password",
      options: {
        method: "POST",
        headers: { apikey: site.keys.anonKey, "content-type": "application/json" },
        body: JSON.stringify({ email: author.email, password: author.password }),
      },
    },
    { kind: "new page", path: (at: number) => `/articles?q=word${at}`, options: {} },
    { kind: "cached page", path: () => "/articles", options: {} },
    { kind: "static file", path: () => asset, options: {} },
    { kind: "health", path: () => "/healthz", options: {} },
  ];
}

async function measureOutage(site: DrillSite, fault: Fault, durationMs: number): Promise<Figure[]> {
  const author = await makeAuthor(site);
  const client = createClient(site.url);
  // Visit /articles before the outage, so that the site can serve the page from its cache while PostgreSQL is down.
  const page = await client.ask("/articles");
  const asset = /"(\/assets\/[^" ]+\.js)"/.exec(page.body)?.[1] ?? "/favicon.svg";
  const kinds = kindsOf(site, author, asset);
  const pid = site.child().pid;

  await fault.start(site);
  const start = performance.now();
  const responses = await atRate(RATE, durationMs, async (number): Promise<TimedOutcome> => {
    const { kind, path: pathOf, options } = kinds[number % kinds.length] ?? kinds[0] ?? failKind();
    const at = performance.now() - start;
    return { ...(await client.ask(pathOf(number), { ...options, from: addressOf(number) })), kind, at };
  });
  await fault.end(site);
  const recovery = await until("the first success", 30_000, async () => {
    const needed = kinds.filter(({ kind }) => kind === "read" || kind === "sign-in");
    const responses = await Promise.all(needed.map(({ path, options }) => client.ask(path(0), options)));
    return responses.every(({ status }) => status === 200);
  });
  const after = await Promise.all(
    Array.from({ length: 60 }, async (_, at) => {
      const { kind, path: pathOf, options } = kinds[at % kinds.length] ?? failKind();
      return { kind, ...(await client.ask(pathOf(at + 10_000), { ...options, from: addressOf(at) })) };
    }),
  );
  client.close();

  const dependent = responses.filter(({ kind }) => ["read", "write", "sign-in", "new page"].includes(kind));
  const independent = responses.filter((response) => !dependent.includes(response));
  const wrong = dependent.filter(
    ({ status, headers }) => ![429, 503].includes(status) || headers["retry-after"] === undefined,
  );
  const slow = responses.map(({ milliseconds }) => milliseconds);
  const slowest = responses.toSorted((a, b) => b.milliseconds - a.milliseconds)[0];
  const unserved = independent.filter(({ status }) => status !== 200);
  const bad = after.filter(({ status }) => status >= 400 || status === 0);
  const summarize = (list: (Outcome & { kind: string })[]) =>
    [...new Set(list.map(({ kind, status, failure }) => `${kind} ${failure ?? status}`))].join(", ");
  const name = `${fault.name} for ${durationMs / 1000} s`;
  return [
    {
      goal: `${name}: the process keeps running`,
      measured: `process ${site.child().pid}`,
      ok: site.child().pid === pid && site.child().exitCode === null,
    },
    none(
      `${name}: requests that need PostgreSQL get 503 or 429, with Retry-After`,
      wrong.length,
      `${dependent.length} got another response: ${summarize(wrong)}`,
    ),
    within(
      `${name}: no request takes more than 5 s (99 % ${Math.round(quantile(slow, 0.99))} ms, slowest: ${slowest?.kind} after ${Math.round(slowest?.at ?? 0)} ms)`,
      Math.max(...slow),
      5_000,
    ),
    none(
      `${name}: static files, cached pages and /healthz are still served`,
      unserved.length,
      `${independent.length} failed: ${summarize(unserved)}`,
    ),
    within(`${name}: reads and sign-ins succeed again within 5 s`, recovery, 5_000),
    none(
      `${name}: no connection left in a bad state`,
      bad.length,
      `${after.length} later requests failed: ${summarize(bad)}`,
    ),
  ];
}

function failKind(): never {
  throw new Error("There is no such kind of request");
}

/**
 * Measures two outages under load. In the first, PostgreSQL is killed and cannot restart. In the second, after it has
 * recovered, its processes are suspended, so that connections stay open but get no response. The short form leaves the
 * first one out: log-lines.test.ts and crash.test.ts check what the site does when PostgreSQL has ended.
 */
export const outage: Drill = {
  name: "outage",
  title: "an outage of PostgreSQL under load, and the recovery",
  run(scale) {
    return withSite({}, async (site) =>
      scale === "long"
        ? [...(await measureOutage(site, killed(), 20_000)), ...(await measureOutage(site, frozen, 20_000))]
        : measureOutage(site, frozen, 1_000),
    );
  },
};
