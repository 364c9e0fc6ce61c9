// Measures what PostgreSQL needs for 100,000 members (docs/deploying.md): the size of the database, reads from its files with
// different values of shared_buffers, connections, vacuum, the write-ahead log, and point-in-time recovery. Uses the
// machine's PostgreSQL: `node bench/lab/postgres.ts`. MEMBERS sets another number of members.
import { execFile } from "node:child_process";
import { chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { signKeys } from "../../server/auth/keys.ts";
import { chooseAccount } from "../../server/postgres/embedded/account.ts";
import { connectionsCpu, connectionsCpuSince } from "../../tests/support/cpu.ts";
import { findInstalled } from "../../tests/support/external-server.ts";
import { freePort } from "../../tests/support/free-port.ts";
import { loadItems } from "../data.ts";
import { formatNumber, median } from "../figures.ts";
import { type RunningSite, startSite } from "../site.ts";

const MEMBERS = Number(process.env["MEMBERS"] ?? 100_000);
const BUFFERS = ["128MB", "1GB"];
const REQUESTS = 400;
const AT_ONCE = 3;
const SAVES = 100;
const SECRET = "a secret of more than thirty-two bytes";
const KINDS_OF_READ = ["item", "person", "list", "search"];

const programs = path.dirname((await findInstalled())?.postgres ?? "");
const folder = await mkdtemp(path.join(tmpdir(), "techfolio-postgres-"));
const account = chooseAccount(folder);
const [data, archive, base] = ["data", "archive", "base"].map((name) => path.join(folder, name)) as [
  string,
  string,
  string,
];
for (const each of [folder, archive]) {
  await mkdir(each, { recursive: true });
  if (account !== undefined) await chown(each, account.uid, account.gid);
}
const port = await freePort();
const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`;
const settings = { DATABASE_URL: connectionString, AUTH_JWT_SECRET: SECRET };
const { serviceKey } = await signKeys(SECRET);

const run = (program: string, ...args: string[]) =>
  promisify(execFile)(path.join(programs, program), args, { ...account, cwd: folder, env: { TZ: "UTC" } });
const say = (line: string) => process.stdout.write(`${line}\n`);
const megabytes = (bytes: unknown) => `${formatNumber(Number(bytes) / 1e6)} MB`;
const random = (end: number) => Math.floor(Math.random() * end);

async function start(cluster: string, options: Record<string, string> = {}): Promise<pg.Client> {
  const all = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: folder,
    ...options,
  };
  const args = Object.entries(all).map(([name, value]) => `-c ${name}='${value}'`);
  await run(
    "pg_ctl",
    "start",
    "--wait",
    "--timeout=600",
    "-D",
    cluster,
    "-l",
    `${cluster}.log`,
    "-o",
    args.join(" "),
  );
  const client = new pg.Client(connectionString);
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function stop(cluster: string, admin: pg.Client): Promise<void> {
  await admin.end();
  await run("pg_ctl", "stop", "--wait", "--mode=fast", "-D", cluster);
}

async function evaluate(admin: pg.Client, expression: string): Promise<unknown> {
  const { rows } = await admin.query<{ value: unknown }>(`select ${expression} as value`);
  return rows[0]?.value;
}

async function seconds(work: () => Promise<unknown>): Promise<string> {
  const from = performance.now();
  await work();
  return `${formatNumber((performance.now() - from) / 1_000, 1)} s`;
}

/** Requests random pages, which are seldom in the page cache, with several requests at a time. */
async function read(sites: RunningSite[], ids: string[]): Promise<number[]> {
  const times: number[] = [];
  let sent = 0;
  const client = async () => {
    while (sent < REQUESTS) {
      const at = sent++;
      const word = `member${random(MEMBERS)}`;
      const paths = {
        item: `/articles/${ids[random(ids.length)]}`,
        person: `/profile/${word}`,
        list: `/articles.data?author=${word}`,
        search: `/search.data?q=${word}`,
      };
      const kind = KINDS_OF_READ[at % KINDS_OF_READ.length] as keyof typeof paths;
      const from = performance.now();
      const response = await fetch(`${sites[at % sites.length]?.url}${paths[kind]}`);
      await response.text();
      if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  return times;
}

async function save({ url }: RunningSite, ids: string[]): Promise<void> {
  const response = await fetch(`${url}/rest/v1/articles?id=eq.${ids[random(ids.length)]}`, {
    method: "PATCH",
    headers: {
      apikey: serviceKey,
      authorization: `Bearer ${serviceKey}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ title: `Saved ${random(1e9)}` }),
  });
  if (!response.ok) throw new Error(`A save got ${response.status}: ${await response.text()}`);
}

try {
  await run(
    "initdb",
    "-D",
    data,
    "--username=postgres",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C.UTF-8",
  );
  const archiving = { archive_mode: "on", archive_command: `cp %p ${archive}/%f` };
  let admin = await start(data, { shared_buffers: "1GB", max_wal_size: "4GB" });
  say(`PostgreSQL ${await evaluate(admin, "current_setting('server_version')")}`);
  const first = await startSite(settings);
  await first.stop();
  const newest = "00000000-0000-4000-8000-000000000002";
  await admin.query(
    `insert into auth.users (id, instance_id, aud, role, email, email_confirmed_at, created_at, updated_at)
     values ($1, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated', 'newest@example.com', now(), now(), now())`,
    [newest],
  );
  say(
    `loading ${formatNumber(MEMBERS)} members and ${formatNumber(3 * MEMBERS)} items took ${await seconds(
      () => loadItems(admin, MEMBERS, newest, MEMBERS),
    )}`,
  );
  say(`database: ${megabytes(await evaluate(admin, "pg_database_size('postgres')"))}`);
  const { rows: largest } = await admin.query(
    `select oid::regclass::text as name, pg_table_size(oid) as rows, pg_indexes_size(oid) as indexes from pg_class
     where relkind = 'r' order by pg_total_relation_size(oid) desc limit 6`,
  );
  for (const { name, rows, indexes } of largest)
    say(`  ${name}: ${megabytes(rows)}, and ${megabytes(indexes)} of indexes`);
  const { rows: articles } = await admin.query<{ id: string }>(
    "select id from public.articles where published",
  );
  const ids = articles.map(({ id }) => id);
  await stop(data, admin);

  for (const shared_buffers of BUFFERS) {
    admin = await start(data, { shared_buffers });
    const sites = [await startSite(settings), await startSite(settings)];
    await read(sites, ids);
    const counters = "(select array[blks_read, blks_hit] from pg_stat_database where datname = 'postgres')";
    await admin.query("select pg_stat_reset()");
    const cpu = await connectionsCpu(admin);
    const times = await read(sites, ids);
    const database = (await connectionsCpuSince(admin, cpu)) / REQUESTS;
    const open = await evaluate(
      admin,
      "(select count(*)::int from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid())",
    );
    for (const site of sites) await site.stop();
    const [missed = 0, hit = 0] = ((await evaluate(admin, counters)) as string[]).map(Number);
    say(
      `shared_buffers ${shared_buffers}: ${formatNumber(missed / REQUESTS, 1)} of ${formatNumber((missed + hit) / REQUESTS)} pages of 8 kB per request were not in it, ${formatNumber(database, 1)} ms of the database's CPU, median ${formatNumber(median(times))} ms, ${open} connections of two processes`,
    );
    await stop(data, admin);
  }

  admin = await start(data, { shared_buffers: "1GB", ...archiving });
  const site = await startSite(settings);
  await admin.query("checkpoint");
  const from = await evaluate(admin, "pg_current_wal_lsn()");
  for (let time = 0; time < SAVES; time++) await save(site, ids);
  const log = Number(await evaluate(admin, `pg_wal_lsn_diff(pg_current_wal_lsn(), '${from}')`));
  say(`write-ahead log: ${formatNumber(log / SAVES / 1e3)} kB per save right after a checkpoint`);

  const tables = ["public.articles", "private.search_documents"];
  const size = tables.map((table) => `pg_total_relation_size('${table}')`).join(" + ");
  const before = await evaluate(admin, size);
  await admin.query("alter table public.articles set (autovacuum_enabled = off)");
  await admin.query("alter table private.search_documents set (autovacuum_enabled = off)");
  const changed = await seconds(() =>
    admin.query(
      "update public.articles set title = title || '.' where id in (select id from public.articles limit $1)",
      [MEMBERS / 5],
    ),
  );
  say(
    `a change of ${formatNumber(MEMBERS / 5)} articles took ${changed}, and ${tables.join(" and ")} grew from ${megabytes(before)} to ${megabytes(await evaluate(admin, size))}`,
  );
  for (const table of tables)
    say(`vacuum (analyze) ${table}: ${await seconds(() => admin.query(`vacuum (analyze) ${table}`))}`);

  say(
    `pg_basebackup: ${await seconds(() => run("pg_basebackup", "-D", base, "-h", folder, "-p", String(port), "-U", "postgres", "--checkpoint=fast"))}`,
  );
  await save(site, ids);
  const count = "(select count(*)::int from public.articles)";
  const kept = await evaluate(admin, count);
  const time = await evaluate(admin, "clock_timestamp()::text");
  await admin.query("delete from public.articles where id = any($1)", [ids.slice(0, 100)]);
  await admin.query("select pg_switch_wal()");
  await site.stop();
  await stop(data, admin);
  const signal = path.join(base, "recovery.signal");
  await writeFile(signal, "");
  if (account !== undefined) await chown(signal, account.uid, account.gid);
  const recovery = await seconds(async () => {
    admin = await start(base, {
      shared_buffers: "1GB",
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: String(time),
      recovery_target_action: "promote",
    });
  });
  say(
    `recovery to the time before a deletion of 100 articles: ${recovery}, ${await evaluate(admin, count)} of ${kept} articles`,
  );
  await stop(base, admin);
} finally {
  await run("pg_ctl", "stop", "--mode=immediate", "-D", data).catch(() => undefined);
  await run("pg_ctl", "stop", "--mode=immediate", "-D", base).catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
}
