import { rm } from "node:fs/promises";
import path from "node:path";
import { runServerProgram } from "../support/command.ts";
import { adminLogin, newDataDir } from "../support/data-dir.ts";
import { startExternalServer } from "../support/external-server.ts";
import { readAllRows } from "../support/rows.ts";
import { createClient, inParallel } from "./client.ts";
import { type Drill, type Figure, none } from "./figure.ts";
import { type Author, type DrillSite, makeAuthor, until, withSite } from "./site.ts";

const WRITERS = 8;
const ROUNDS = 5;
const TIMEOUT_MS = 30_000;
const LINKS = "public.useful_links";
// A backup without --with-sessions contains no rows of these tables, so the comparison of a restored site with its
// source leaves them out.
const NOT_DUMPED = /^auth\.(sessions|refresh_tokens|one_time_tokens|flow_state|rate_limits)$/;

type Rows = Map<string, string[]>;

/**
 * Starts writers that insert two links per transaction, and collects the titles of acknowledged links. A consistent
 * backup contains both links of a transaction or neither.
 */
function startWriting(site: DrillSite, author: Author) {
  const client = createClient(site.url);
  const acknowledged: string[] = [];
  let refused = 0;
  let stopping = false;
  const headers = {
    apikey: site.keys.anonKey,
    authorization: `Bearer ${author.token}`,
    "content-type": "application/json",
  };
  const done = inParallel(WRITERS, async () => {
    const title = crypto.randomUUID();
    const link = { profile_id: author.id, title, url: "/", category: "Drill" };
    const body = JSON.stringify([link, link]);
    const { status } = await client.ask("/rest/v1/useful_links", { method: "POST", headers, body });
    if (status === 201) acknowledged.push(title);
    else refused += 1;
    return !stopping;
  });
  return {
    acknowledged,
    refused: () => refused,
    async stop() {
      stopping = true;
      await done;
      client.close();
    },
  };
}

async function runProgram(program: string, file: string, settings: Record<string, string>): Promise<void> {
  const { code, stderr } = await runServerProgram(program, [file], settings);
  if (code !== 0) throw new Error(`${program} exited with ${code}: ${stderr}`);
}

async function rowsOf({ dataDir }: DrillSite): Promise<Rows> {
  return readAllRows(await adminLogin(dataDir));
}

async function restoreInto(dataDir: string, file: string): Promise<Rows> {
  await runProgram("server/cli/restore.ts", file, { DATA_DIR: dataDir });
  return withSite({ dataDir }, rowsOf);
}

function difference(one: Rows, other: Rows): number {
  const withTable = (rows: Rows) =>
    new Set(
      [...rows].flatMap(([table, values]) =>
        NOT_DUMPED.test(table) ? [] : values.map((row) => `${table} ${row}`),
      ),
    );
  const [ours, theirs] = [withTable(one), withTable(other)];
  return (
    [...ours].filter((row) => !theirs.has(row)).length + [...theirs].filter((row) => !ours.has(row)).length
  );
}

function titleOf(row: string): string {
  return row.split(",")[2] ?? "";
}

function compare(
  copy: Rows,
  source: Rows,
  before: string[],
): { unknown: number; halfWritten: number; missing: number } {
  const links = copy.get(LINKS) ?? [];
  const written = new Set(source.get(LINKS));
  const titles = Map.groupBy(links, titleOf);
  return {
    unknown: links.filter((row) => !written.has(row)).length,
    halfWritten: [...titles.values()].filter((pair) => pair.length !== 2).length,
    missing: before.filter((title) => !titles.has(title)).length,
  };
}

async function drill(site: DrillSite, folder: string): Promise<Figure[]> {
  const writing = startWriting(site, await makeAuthor(site));
  const settings = { DATA_DIR: site.dataDir };
  const backups: { file: string; before: string[] }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const goal = writing.acknowledged.length + 100;
    await until("100 more acknowledged writes", TIMEOUT_MS, async () => writing.acknowledged.length > goal);
    const file = path.join(folder, `${round}.sql`);
    backups.push({ file, before: [...writing.acknowledged] });
    await runProgram("server/cli/backup.ts", file, settings);
  }
  await writing.stop();
  const last = path.join(folder, "last.sql");
  await runProgram("server/cli/backup.ts", last, settings);
  const source = await rowsOf(site);

  const totals = { unknown: 0, halfWritten: 0, missing: 0 };
  for (const [round, { file, before }] of backups.entries()) {
    const { unknown, halfWritten, missing } = compare(
      await restoreInto(path.join(folder, `${round}`), file),
      source,
      before,
    );
    totals.unknown += unknown;
    totals.halfWritten += halfWritten;
    totals.missing += missing;
  }
  const inFolder = difference(source, await restoreInto(path.join(folder, "last"), last));
  const inServer = await onServer(last, (copy) => difference(source, copy));

  const load = `${ROUNDS} backups under ${WRITERS} writers`;
  const rows = [...source.values()].flat().length;
  return [
    none(`${load}: 0 writes rejected`, writing.refused(), `${writing.acknowledged.length} writes`),
    none(`${load}: 0 rows that were never written`, totals.unknown, `${ROUNDS} restores`),
    none(`${load}: 0 half-written transactions`, totals.halfWritten, `${ROUNDS} restores`),
    none(
      `${load}: 0 writes missing that were acknowledged before the backup`,
      totals.missing,
      `${backups.at(-1)?.before.length} acknowledged`,
    ),
    none("restored into DATA_DIR: 0 different rows", inFolder, `${rows} rows`),
    none("restored into DATABASE_URL: 0 different rows", inServer, `${rows} rows`),
  ];
}

async function onServer<T>(file: string, inspect: (rows: Rows) => T): Promise<T> {
  const server = await startExternalServer();
  try {
    const DATABASE_URL = await server.createDatabase();
    await runProgram("server/cli/restore.ts", file, { DATABASE_URL });
    return inspect(await readAllRows({ connectionString: DATABASE_URL }));
  } finally {
    await server.stop();
  }
}

/**
 * Backs up a site while a member writes, and checks that each backup is consistent. Then backs up the idle site, and
 * checks that restores into DATA_DIR and DATABASE_URL contain exactly the dumped tables' rows.
 */
export const backup: Drill = {
  name: "backup",
  title: "backups under load are consistent, and a backup of the idle site loses only sessions",
  async run() {
    const folder = await newDataDir();
    try {
      return await withSite({}, (site) => drill(site, folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
