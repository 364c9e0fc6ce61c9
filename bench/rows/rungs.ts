import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { getPage, getRaw } from "../http.ts";
import { burst } from "../load.ts";
import { atMost, type Goal, median, type Outcome, shown } from "../outcome.ts";
import { ownCpu } from "../process-usage.ts";
import { answering, type MeasuredSite, type RunningSite, spawnSite } from "../site.ts";

const SIZE = 100_000;
const MOST_MB = 430;
const TIMES = 100;
const SIGN_INS = 20;
const CACHED = 5_000;
const NEWS = 20;
/** Longer than writes elsewhere are gathered for (server/app.ts): each save is the first after a while. */
const QUIET = 1_000;
const ID = "00000000-0000-4000-8000-000000000002";
const SEARCHES = ["q=latency", "q=zyxwvut", "author=Okafor", "q=window&author=ada&sort=asc"];

/** Milliseconds of processor time of one process of the site, and of the database. */
interface Cost {
  server: number;
  database: number;
}

/** A process of the site, with what it takes to write through it and to know what the database did meanwhile. */
interface Rung {
  url: string;
  pid: number;
  admin: MeasuredSite["admin"];
  keys: MeasuredSite["keys"];
  member: MeasuredSite["member"];
}

/** By connection, those of the site alone: what the database does in the background comes and goes. */
async function connectionsCpu({ admin }: Rung): Promise<Map<number, number>> {
  const { rows } = await admin.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name like 'techfolio%'",
  );
  return new Map(await Promise.all(rows.map(async ({ pid }) => [pid, await ownCpu(pid)] as const)));
}

async function costOf(rung: Rung, times: number, work: () => Promise<unknown>): Promise<Cost> {
  const [server, connections] = [await ownCpu(rung.pid), await connectionsCpu(rung)];
  await work();
  let database = 0;
  for (const [pid, cpu] of await connectionsCpu(rung)) database += cpu - (connections.get(pid) ?? 0);
  return { server: ((await ownCpu(rung.pid)) - server) / times, database: database / times };
}

async function repeat(times: number, work: (time: number) => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time++) await work(time);
}

async function save({ url, keys, member }: Rung, title: string): Promise<void> {
  const response = await fetch(`${url}/rest/v1/articles?on_conflict=id`, {
    method: "POST",
    headers: {
      apikey: keys.anonKey,
      Authorization: `Bearer ${member.token}`,
      "Content-Type": "application/json",
      Prefer: "resolution=merge-duplicates,return=minimal",
    },
    body: JSON.stringify({ id: ID, author_id: member.id, title, content: "Saved.", published: true }),
  });
  if (!response.ok) throw new Error(`Saving is answered with ${response.status}`);
}

async function signIn({ url, keys }: Rung, email: string, password: string): Promise<void> {
  const headers = { apikey: keys.anonKey, "Content-Type": "application/json" };
  const body = JSON.stringify({ email, password });
  const address = `${url}/auth/v1/token?grant_type=password`;
  const response = await fetch(address, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`Signing in is answered with ${response.status}`);
}

async function makeMember({ url, keys }: Rung, email: string, password: string): Promise<void> {
  const headers = {
    apikey: keys.serviceKey,
    Authorization: `Bearer ${keys.serviceKey}`,
    "Content-Type": "application/json",
  };
  const body = JSON.stringify({ email, password, email_confirm: true });
  await fetch(`${url}/auth/v1/admin/users`, { method: "POST", headers, body });
}

async function measure(rung: Rung): Promise<Record<string, Cost>> {
  const [email, password] = ["bench@example.com", "a good password"];
  await makeMember(rung, email, password);
  const headers = { "Accept-Encoding": "br" };
  const list = (query: string) => getRaw(`${rung.url}/lists/articles?ask=stretch&${query}`);
  // What runs for the first time is compiled first.
  await repeat(30, async (time) => {
    await save(rung, `Before ${time}`);
    await getPage(rung.url, "/articles");
    await list(SEARCHES[time % SEARCHES.length] ?? "");
  });
  const cached = await costOf(rung, CACHED, () => burst({ url: `${rung.url}/articles`, headers }, CACHED, 4));
  const write = await costOf(rung, TIMES, () => repeat(TIMES, (time) => save(rung, `Saved ${time}`)));
  const both = await costOf(rung, TIMES, () =>
    repeat(TIMES, async (time) => {
      await save(rung, `Shown ${time}`);
      await getPage(rung.url, "/articles");
    }),
  );
  const search = await costOf(rung, TIMES, () =>
    repeat(TIMES, (time) => list(SEARCHES[time % SEARCHES.length] ?? "")),
  );
  const entry = await costOf(rung, SIGN_INS, () => repeat(SIGN_INS, () => signIn(rung, email, password)));
  return {
    "a page from the cache": cached,
    "a page rendered afresh": {
      server: both.server - write.server,
      database: both.database - write.database,
    },
    "a search in the database": search,
    "a save": write,
    "a sign-in": entry,
  };
}

/** How long after a save through one process is acknowledged the page that the other keeps shows it, in milliseconds. */
async function news(from: Rung, to: RunningSite): Promise<number[]> {
  const taken: number[] = [];
  const page = async () => (await fetch(`${to.url}/articles`)).text();
  for (let time = 0; time < NEWS; time++) {
    const title = `News ${time}`;
    await page();
    await sleep(QUIET);
    await save(from, title);
    const begun = performance.now();
    while (!(await page()).includes(`${title}<`));
    taken.push(performance.now() - begun);
  }
  return taken;
}

async function databaseSize({ admin }: MeasuredSite): Promise<Outcome> {
  const { rows } = await admin.query<{ all: number; indexes: number }>(
    `select pg_database_size(current_database())::float8 as all,
       (select sum(pg_indexes_size(oid)) from pg_class where relnamespace = 'public'::regnamespace
         and relkind = 'r')::float8 as indexes`,
  );
  const [all, indexes] = [rows[0]?.all, rows[0]?.indexes].map((bytes = Number.NaN) => bytes / 1_000_000);
  return {
    subject: "the database",
    asked: `≤ ${MOST_MB} MB`,
    measured: `${shown(all ?? Number.NaN)} MB, of which indexes ${shown(indexes ?? Number.NaN)} MB`,
    isReached: atMost(MOST_MB, all ?? Number.NaN),
  };
}

function toOutcome(what: string, one: Cost | undefined, two: Cost | undefined): Outcome {
  const text = (cost: Cost | undefined) =>
    `${shown(cost?.server ?? Number.NaN, 2)} + ${shown(cost?.database ?? Number.NaN, 2)}`;
  return { subject: what, asked: "", measured: `${text(one)}; ${text(two)} ms`, isReached: undefined };
}

export const rungs: Goal = {
  name: "rungs",
  title: "Cost on one machine and on several",
  method: `Milliseconds of processor time per request, of the server and of its connections to the database, ${shown(SIZE)} items of each kind: on the embedded database; then through one of two processes that share it by DATABASE_URL. News: from the acknowledged save through one process, the first in a second, until the page that the other keeps shows it, by the clock; of a stream of saves it comes up to half a second later.`,
  async measure(bench) {
    const site = await bench.site(SIZE);
    const alone = await measure(site);
    const password = await readFile(path.join(site.dataDir, "postgres.password"), "utf8");
    const settings = {
      DATABASE_URL: `postgres://postgres:${password}@localhost/postgres?host=${path.join(site.dataDir, "run")}`,
      AUTH_JWT_SECRET: site.keys.jwtSecret,
    };
    const pair = await Promise.all([spawnSite(site.dataDir, settings), spawnSite(site.dataDir, settings)]);
    for (const process of pair) {
      bench.onEnd(() => process.stop());
      await answering(process);
    }
    const two: Rung = { ...site, ...pair[0] };
    const shared = await measure(two);
    const taken = await news(two, pair[1]);
    await site.admin.query("delete from public.articles where id = $1", [ID]);
    await site.admin.query("delete from auth.users where email = 'bench@example.com'");
    return [
      await databaseSize(site),
      ...Object.keys(alone).map((what) => toOutcome(what, alone[what], shared[what])),
      {
        subject: "news",
        asked: "within a second",
        measured: `${shown(median(taken))} ms, at most ${shown(Math.max(...taken))} ms`,
        isReached: Math.max(...taken) <= 1_000,
      },
    ];
  },
};
