import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { loadItems } from "../../bench/data.ts";
import type { Keys } from "../../server/auth/keys.ts";
import { createCommunity } from "../support/members.ts";
import { makePng, pathOf } from "../support/pictures.ts";
import { caddy } from "../support/proxies.ts";
import { type Drill, type Figure, none } from "./figure.ts";
import { findRelease, installRelease, RELEASE } from "./release.ts";
import { failures, underLoad } from "./rolling.ts";
import { until } from "./site.ts";

const size = (name: string, standard: number) => Number(process.env[name] ?? standard);
const ARTICLES = size("UPGRADE_ARTICLES", 100_000);
const PEOPLE = size("UPGRADE_PEOPLE", 20_000);
const PICTURES = size("UPGRADE_PICTURES", 1_000);
/** How long members write on the new version before the way back. */
const MINUTES = size("UPGRADE_MINUTES", 5);

const OTHER_ITEMS = 1_000;
const UPLOADERS = 10;
const PICTURE_BYTES = 50_000;
const PROCESSES = 2;
const SAMPLE_MS = 500;
const MAX_START_MS = 30 * 60_000;
/** Caddy checks each process every second, and a busy machine can delay a check. */
const CADDY_MS = 10_000;
const KEPT_TABLES = ["auth.users", "public.profiles", "public.skills", "public.articles", "storage.objects"];

const connect = async (connectionString: string) => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
};

async function fill(url: string, keys: Keys, database: string): Promise<void> {
  const admin = await connect(database);
  const [first] = (await admin.query<{ id: string }>("select md5('member 0')::uuid as id")).rows;
  await loadItems(admin, ARTICLES, first?.id ?? "", PEOPLE, OTHER_ITEMS);
  await admin.end();
  const community = createCommunity({ url, keys });
  for (let uploader = 0; uploader < UPLOADERS; uploader++) {
    const member = await community.addMember();
    const { access_token } = await community.openSession(member);
    for (let index = 0; index < PICTURES / UPLOADERS; index++) {
      const picture = makePng(1 + index, 1 + uploader, 128, PICTURE_BYTES);
      const response = await fetch(`${url}/storage/v1/object/pictures/${pathOf(member.id, picture)}`, {
        method: "POST",
        headers: { authorization: `Bearer ${access_token}`, "content-type": "image/png" },
        body: picture.bytes,
      });
      if (!response.ok) throw new Error(`A picture was rejected: ${await response.text()}`);
    }
  }
}

type Contents = Map<string, { columns: string; digest: string }>;

/** Returns a digest of each kept table's rows. With `earlier`, of the columns that the table had then. */
async function readContents(admin: pg.Client, earlier?: Contents): Promise<Contents> {
  const contents: Contents = new Map();
  for (const table of KEPT_TABLES) {
    const { rows } = await admin.query<{ columns: string }>(
      `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    );
    const columns = earlier?.get(table)?.columns ?? rows[0]?.columns ?? "";
    const digests = await admin.query<{ digest: string }>(
      `select md5(row(${columns})::text) as digest from ${table} order by 1`,
    );
    const hash = createHash("sha256");
    for (const { digest } of digests.rows) hash.update(digest);
    contents.set(table, { columns, digest: `${digests.rows.length} rows, ${hash.digest("hex")}` });
  }
  return contents;
}

/** Records the size of the database until `stop`. */
function watchDisk(admin: pg.Client) {
  let isOver = false;
  let greatest = 0;
  const read = async () => {
    const { rows } = await admin.query("select pg_database_size(current_database()) as bytes");
    return Number(rows[0].bytes);
  };
  const running = (async () => {
    while (!isOver) {
      greatest = Math.max(greatest, await read());
      await sleep(SAMPLE_MS);
    }
  })();
  return {
    read,
    async stop() {
      isOver = true;
      await running;
      return greatest;
    },
  };
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1_000)} s`;

/** Measures a rolling upgrade of a large site and the way back. Its sizes are in the variables UPGRADE_*. */
export const largeUpgrade: Drill = {
  name: "large-upgrade",
  title: `a rolling upgrade of a large site from ${RELEASE}, and the way back after writes, lose nothing`,
  async run() {
    const goal = `upgrade of a large site from ${RELEASE}`;
    const revision = await findRelease();
    if (revision === undefined || caddy.version === undefined)
      return [{ goal, measured: "not run: it needs the release's commit and Caddy", ok: true }];
    await using opened = new AsyncDisposableStack();
    const program = await installRelease(opened, revision);
    const figures: Figure[] = [];
    const report = (what: string, measured: string) => figures.push({ goal: what, measured, ok: true });

    const sent = await underLoad(
      { processes: PROCESSES, program, prepare: fill },
      async ({ sites, database, replace, requests }) => {
        // Closed before the database stops.
        await using connections = new AsyncDisposableStack();
        const admin = await connect(database);
        connections.defer(() => admin.end());
        const before = await readContents(admin);
        const { rows: start } = await admin.query("select pg_current_wal_lsn() as position");
        const sampler = await connect(database);
        connections.defer(() => sampler.end());
        const disk = watchDisk(sampler);
        const oldBytes = await disk.read();

        const replaceAll = async (next: string | undefined) => {
          const took: number[] = [];
          for (const index of sites.keys()) {
            const at = performance.now();
            await (await replace(index, next)).running(MAX_START_MS);
            took.push(performance.now() - at);
            await sleep(CADDY_MS);
          }
          return took.map(seconds).join(" and ");
        };
        const upgraded = performance.now();
        report("each process is replaced by one of this version", await replaceAll(undefined));
        await until("the searches' table is filled", MAX_START_MS, async () => {
          const { rows } = await admin.query("select count(*) from private.search_backlog");
          return rows[0].count === "0";
        });
        report("searches find every item again after", seconds(performance.now() - upgraded));
        const { rows: end } = await admin.query("select pg_wal_lsn_diff(pg_current_wal_lsn(), $1) as bytes", [
          start[0].position,
        ]);
        const newBytes = await disk.read();
        const greatest = await disk.stop();
        report(
          "size of the database before, at most, and after",
          [oldBytes, greatest, newBytes].map(megabytes).join(", "),
        );
        report("write-ahead log that the upgrade writes", megabytes(Number(end[0].bytes)));

        await sleep(MINUTES * 60_000);
        report(`each process goes back to ${RELEASE}`, await replaceAll(program));
        const after = await readContents(admin, before);
        const changed = KEPT_TABLES.filter((table) => before.get(table)?.digest !== after.get(table)?.digest);
        figures.push(
          none("0 tables with a lost or changed row", changed.length, `${KEPT_TABLES.length} (${changed})`),
        );
        const accepted = requests.filter(({ kind, outcome }) => kind === "write" && outcome.status === 201);
        const count = accepted.length;
        const { rows: links } = await admin.query("select count(*) from public.useful_links");
        const lost = Math.max(0, count - (Number(links[0].count) - OTHER_ITEMS));
        figures.push(none("0 of the writes during and after the upgrade are lost", lost, `${count} writes`));
      },
    );
    figures.push(failures(`rolling upgrade and way back, ${MINUTES} min of writes: no request fails`, sent));
    return figures;
  },
};
