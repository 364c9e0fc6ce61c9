import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { KINDS } from "../../common/kinds/index.ts";
import { runServerProgram } from "../support/command.ts";
import { connectionsCpu, connectionsCpuSince, ownCpuEver } from "../support/cpu.ts";
import { newDataDir } from "../support/data-dir.ts";
import { createClient, inParallel, type Outcome } from "./client.ts";
import { type Drill, type Figure, none, quantile, within } from "./figure.ts";
import { type DrillSite, makeAuthor, withSite } from "./site.ts";

const MB = 1024 * 1024;
const WRITERS = 2;
const VISITS = 7;
const MAX_RESIDENT_BYTES = 500 * MB;

/** The longest texts that each column accepts, in scripts whose characters have one, two and three bytes. */
const SCRIPTS = [
  "a long text about indexes ",
  "éàü ñ crème brûlée façade ",
  "数据库索引的使用方法和注意事项。",
];
const textOf = (characters: number, script = 0) =>
  (SCRIPTS[script % SCRIPTS.length] ?? "").repeat(characters / 10).slice(0, characters);
/** U+FDFA is one character, and 18 when it is decomposed. */
const LIGATURE = "\ufdfa";
/** Different words with the same beginning, for each index. */
const manyWords = (characters: number, index: number) =>
  Array.from(
    { length: characters / 12 },
    (_, word) => `sql${(index * 1e5 + word).toString(36).padStart(8, "0")}`,
  )
    .join(" ")
    .slice(0, characters);

const PAGES = [
  "/",
  "/people",
  "/articles",
  "/useful-links",
  "/sample-code",
  "/feed.xml",
  "/sitemap.xml",
  "/llms.txt",
];
const SEARCHES = [
  "/articles?q=brulee",
  "/articles?q=zzz",
  "/articles?author=member",
  "/useful-links?q=index",
  "/sample-code?q=zzz",
  "/people?q=member",
  "/people?q=zz",
  "/search?q=postgres+index",
  "/search?q=数据",
  '/search?q="postgres index"',
  "/search?q=row_number()",
  "/search?q=€",
  "/search?q=sql",
  "/search?q=sql0",
  `/search?q=${LIGATURE}`,
  "/articles?q=qj",
  "/articles?q=€",
];

interface Row {
  table: string;
  row: Record<string, unknown>;
}

/** Returns the next row for a member who wants to use up their quota: long texts first, and then as many rows as possible. */
function rowAt(index: number, owner: string): Row {
  const title = textOf(1_000, index);
  const description = textOf(20_000, index);
  switch (index % 4) {
    case 0:
    case 1: {
      const contents = [
        textOf(500_000, index),
        manyWords(500_000, index),
        LIGATURE.repeat(300_000),
        manyWords(500_000, index),
      ];
      const content = contents[Math.floor(index / 2) % contents.length];
      return { table: "articles", row: { author_id: owner, title, content, published: true } };
    }
    case 2: {
      const code = { language: "sql", code_content: textOf(500_000, index) };
      return { table: "code_samples", row: { profile_id: owner, title, description, ...code } };
    }
    default: {
      const link = { url: `https://a.test/${"x".repeat(3_900)}`, category: textOf(1_000, index) };
      return { table: "useful_links", row: { profile_id: owner, title, description, ...link } };
    }
  }
}

async function residentBytes({ child }: DrillSite): Promise<number> {
  const status = await readFile(`/proc/${child().pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

interface Visit {
  path: string;
  status: number;
  milliseconds: number;
  cost: Cost;
}

/** CPU milliseconds of one request. */
interface Cost {
  server: number;
  database: number;
}

/** Measures the CPU time of the server, with all its threads, and of the database's connections. */
async function costOf(site: DrillSite, requests: number, send: () => Promise<void>): Promise<Cost> {
  const admin = await site.admin();
  try {
    const pid = site.child().pid ?? 0;
    const [server, connections] = [await ownCpuEver(pid), await connectionsCpu(admin)];
    await send();
    const database = await connectionsCpuSince(admin, connections);
    return { server: ((await ownCpuEver(pid)) - server) / requests, database: database / requests };
  } finally {
    await admin.end();
  }
}

const formatCost = ({ server, database }: Cost) =>
  `${server.toFixed(1)} ms + ${database.toFixed(1)} ms of PostgreSQL`;

/** The site renders the page again, as for a forced reload. */
const FRESH = { "Cache-Control": "no-cache" };

/** Opens every page and search several times, each time from another address. Only pages aren't from the cache. */
async function visitAll(site: DrillSite): Promise<Visit[]> {
  const client = createClient(site.url);
  const visits: Visit[] = [];
  for (const address of [...PAGES, ...SEARCHES]) {
    const durations: number[] = [];
    let status = 200;
    const isPage = !/\.(xml|txt)$/.test(address);
    const cost = await costOf(site, VISITS, async () => {
      for (let visit = 0; visit < VISITS; visit++) {
        const from = `127.0.9.${visit + 1}`;
        const outcome: Outcome = await client.ask(encodeURI(address), {
          from,
          ...(isPage && { headers: FRESH }),
        });
        durations.push(outcome.milliseconds);
        if (outcome.status !== 200) status = outcome.status;
      }
    });
    visits.push({ path: address, status, milliseconds: quantile(durations, 0.5), cost });
  }
  client.close();
  return visits;
}

async function run(site: DrillSite, folder: string): Promise<Figure[]> {
  const eve = await makeAuthor(site);
  const ada = await makeAuthor(site);
  const client = createClient(site.url);
  const write = (table: string, rows: unknown, { token } = eve, method = "POST", query = "") =>
    client.ask(`/rest/v1/${table}${query}`, {
      method,
      headers: {
        apikey: site.keys.anonKey,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
      },
      ...(rows !== undefined && { body: JSON.stringify(rows) }),
    });
  const before = await visitAll(site);

  // Every field rejects a text that exceeds its limit.
  const tooLong = "x".repeat(1.5 * MB);
  const { row: article } = rowAt(0, eve.id);
  const oversized: Outcome[] = [];
  const rejected = await costOf(site, 4, async () => {
    for (const name of ["title", "content"]) {
      oversized.push(await write("articles", { ...article, [name]: tooLong }));
    }
    const skill = { profile_id: eve.id, name: tooLong, category: "sql", proficiency: 1 };
    oversized.push(await write("skills", skill));
    oversized.push(await write("profiles", { bio: tooLong }, eve, "PATCH", `?id=eq.${eve.id}`));
  });
  const accepted = oversized.filter(({ status }) => status !== 400);

  const skills = Array.from({ length: 200 }, (_, index) => ({
    profile_id: eve.id,
    name: textOf(96, index) + String(index).padStart(3, "0"),
    category: "sql",
    proficiency: 5,
    years_experience: 80,
  }));
  const unexpected: Outcome[] = [];
  const check = (outcome: Outcome) => {
    if (![200, 201, 204].includes(outcome.status)) unexpected.push(outcome);
  };
  check(await write("skills", skills));
  check(
    await write("profiles", { bio: textOf(20_000, 2), featured: true }, eve, "PATCH", `?id=eq.${eve.id}`),
  );
  let written = 0;
  let isFull = false;
  const writing = await costOf(site, 1, () =>
    inParallel(WRITERS, async () => {
      const { table, row } = rowAt(written++, eve.id);
      const outcome = await write(table, row);
      if (outcome.status === 413) isFull = true;
      else check(outcome);
      return !isFull;
    }),
  );
  let small = 0;
  for (let isAccepted = true; isAccepted; ) {
    const link = { profile_id: eve.id, title: "x", url: "/", category: "x" };
    const outcome = await write("useful_links", Array(50).fill(link));
    isAccepted = outcome.status === 201;
    if (isAccepted) small += 50;
  }
  // Edits fill the versions.
  const list = await client.ask(`/rest/v1/articles?author_id=eq.${eve.id}&select=id`, {
    headers: { apikey: site.keys.anonKey },
  });
  const ids = (JSON.parse(list.body) as { id: string }[]).map(({ id }) => id);
  for (const id of [...ids, ...ids]) {
    check(await write("articles", { title: crypto.randomUUID() }, eve, "PATCH", `?id=eq.${id}`));
  }
  const own = `?profile_id=eq.${eve.id}&title=eq.x`;
  const deletions: Outcome[] = [];
  const deleting = await costOf(site, 1, async () => {
    deletions.push(await write("useful_links", undefined, eve, "DELETE", own));
  });
  const [deletion] = deletions;

  const after = await visitAll(site);
  const others = await write(
    "useful_links",
    { profile_id: ada.id, title: "Ada's", url: "/", category: "SQL" },
    ada,
  );
  const peak = await residentBytes(site);
  client.close();

  await site.end("SIGTERM");
  await site.start();
  const restarted = await visitAll(site);

  const file = path.join(folder, "full.sql");
  const saved = await runServerProgram("server/cli/backup.ts", [file], { DATA_DIR: site.dataDir });
  const copy = path.join(folder, "copy");
  const restored = await runServerProgram("server/cli/restore.ts", [file], { DATA_DIR: copy });
  const source = await countRows(site);
  await removeMember(site, eve.id);
  const removed = await visitAll(site);
  const target = await withSite({ dataDir: copy }, countRows);

  const failed = [...before, ...after, ...restarted, ...removed].filter(({ status }) => status !== 200);
  const slower = after.map(({ path: address, milliseconds }, index) => ({
    address,
    before: before[index]?.milliseconds ?? 0,
    after: milliseconds,
    // Readers don't notice 200 ms.
    ratio: milliseconds / Math.max(100, before[index]?.milliseconds ?? 0),
  }));
  const compareCosts = (visits: Visit[]) =>
    visits
      .map(({ path: address, cost }, index) => {
        const earlier = before[index]?.cost ?? { server: 0, database: 0 };
        const ratioOf = (part: keyof Cost) => cost[part] / Math.max(100, earlier[part]);
        const ratio = Math.max(ratioOf("server"), ratioOf("database"));
        return { ratio, text: `${address} ${formatCost(earlier)} → ${formatCost(cost)}` };
      })
      .toSorted((a, b) => b.ratio - a.ratio);
  const costlier = compareCosts(after);
  const costlierLater = compareCosts(removed);
  const size = `${written} long rows and ${small} small ones`;
  return [
    none("texts longer than a column's limit are accepted", accepted.length, `${oversized.length} requests`),
    none("other saves fail", unexpected.length, `${written + ids.length * 2} (${unexpected[0]?.body ?? ""})`),
    {
      goal: "deleting all small links at once",
      measured: `${deletion?.status} ${deletion?.body}, ${formatCost(deleting)}`,
      ok: deletion?.status === 204,
    },
    none(
      "pages and searches fail",
      failed.length,
      `${4 * after.length} (${failed.map(({ path: p, status }) => `${p} ${status}`)})`,
    ),
    {
      goal: `with ${size}, pages and searches take at most 200 ms or twice as long`,
      measured: slower
        .toSorted((a, b) => b.ratio - a.ratio)
        .slice(0, 5)
        .map(
          ({ address, before: earlier, after: later }) =>
            `${address} ${Math.round(earlier)} → ${Math.round(later)} ms`,
        )
        .join(", "),
      ok: slower.every(({ ratio }) => ratio <= 2),
    },
    {
      goal: "each page and search takes at most 200 ms of the CPU or twice as much, of the server and of PostgreSQL",
      measured: costlier
        .slice(0, 5)
        .map(({ text }) => text)
        .join("; "),
      ok: costlier.every(({ ratio }) => ratio <= 2),
    },
    {
      goal: "after that member is removed, each takes at most 110 ms of the CPU or 1.1 times as much as before",
      measured: costlierLater
        .slice(0, 5)
        .map(({ text }) => text)
        .join("; "),
      ok: costlierLater.every(({ ratio }) => ratio <= 1.1),
    },
    {
      goal: "a rejected text takes at most 50 ms of the server and 200 ms of PostgreSQL",
      measured: formatCost(rejected),
      ok: rejected.server <= 50 && rejected.database <= 200,
    },
    {
      goal: "the CPU time of a save of a long text is reported",
      measured: formatCost({ server: writing.server / written, database: writing.database / written }),
      ok: true,
    },
    none("another member's saves fail", others.status === 201 ? 0 : 1, "1"),
    {
      goal: "the process's memory stays below 500 MB",
      measured: `${Math.round(peak / MB)} MB`,
      ok: peak < MAX_RESIDENT_BYTES,
    },
    {
      goal: "backup and restore succeed",
      measured: `${saved.code}, ${restored.code} ${saved.stderr}${restored.stderr}`,
      ok: saved.code === 0 && restored.code === 0,
    },
    {
      goal: "the restored site has the same rows",
      measured: `${target} of ${source}`,
      ok: target === source,
    },
    within("another member's save", others.milliseconds, 1_000),
  ];
}

/** Removes a member as `npm run member -- remove` does. Then runs what autovacuum would run within a minute. */
async function removeMember(site: DrillSite, id: string): Promise<void> {
  const client = createClient(site.url);
  const { status, body } = await client.ask(`/auth/v1/admin/users/${id}`, {
    method: "DELETE",
    headers: { apikey: site.keys.serviceKey, authorization: `Bearer ${site.keys.serviceKey}` },
  });
  client.close();
  if (status !== 200) throw new Error(`The member wasn't removed: ${status} ${body}`);
  const admin = await site.admin();
  await admin.query("vacuum (analyze)");
  await admin.end();
}

async function countRows(site: DrillSite): Promise<string> {
  const database = await site.admin();
  try {
    const tables = ["profiles", "skills", ...KINDS.map(({ table }) => table), "versions"];
    const counts: string[] = [];
    for (const table of tables) {
      counts.push((await database.query(`select count(*) from public.${table}`)).rows[0].count);
    }
    return counts.join(", ");
  } finally {
    await database.end();
  }
}

/** One member uses up every limit. Visitors and other members must notice little of it. */
export const oneMember: Drill = {
  name: "one-member",
  title: "a member who uses up every limit fails nothing for others",
  async run() {
    const folder = await newDataDir();
    try {
      return await withSite({ settings: { SEED: "demo" } }, (site) => run(site, folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
