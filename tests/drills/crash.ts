import { createClient, inParallel } from "./client.ts";
import type { Drill, Figure } from "./figure.ts";
import { none, within } from "./figure.ts";
import { type Author, type DrillSite, makeAuthor, until, withSite } from "./site.ts";

const WRITERS = 8;
const ROUNDS = 20;
const TIMEOUT_MS = 30_000;

/** Starts writers, which run until `stop` is called, and collects the ids of acknowledged rows. */
function startWriting(site: DrillSite, author: Author) {
  const client = createClient(site.url);
  const acknowledged: string[] = [];
  let stopping = false;
  const headers = {
    apikey: site.keys.anonKey,
    authorization: `Bearer ${author.token}`,
    "content-type": "application/json",
  };
  const done = inParallel(WRITERS, async (writer) => {
    const id = crypto.randomUUID();
    const row = { id, profile_id: author.id, title: `By ${writer}`, url: "/", category: "Drill" };
    const { status } = await client.ask("/rest/v1/useful_links", {
      method: "POST",
      headers,
      body: JSON.stringify(row),
    });
    if (status === 201) acknowledged.push(id);
    return !stopping;
  });
  return {
    acknowledged,
    async stop() {
      stopping = true;
      await done;
      client.close();
    },
  };
}

async function killRepeatedly(
  site: DrillSite,
  kill: (site: DrillSite) => Promise<void>,
): Promise<{ written: number; lost: number; slowest: number }> {
  const author = await makeAuthor(site);
  const writing = startWriting(site, author);
  let slowest = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = writing.acknowledged.length;
    await until(
      "more acknowledged writes",
      TIMEOUT_MS,
      async () => writing.acknowledged.length > before + WRITERS * 3,
    );
    const start = performance.now();
    await kill(site);
    // Each writer may have had one write in flight during the kill. Wait for more acknowledgements than writers, so
    // that at least one write was sent after the kill.
    const after = writing.acknowledged.length;
    await until(
      "acknowledged writes after the kill",
      TIMEOUT_MS,
      async () => writing.acknowledged.length > after + WRITERS,
    );
    slowest = Math.max(slowest, performance.now() - start);
  }
  await writing.stop();
  const admin = await site.admin();
  const { rows } = await admin.query<{ id: string }>("select id from public.useful_links");
  await admin.end();
  const kept = new Set(rows.map(({ id }) => id));
  const lost = writing.acknowledged.filter((id) => !kept.has(id)).length;
  return { written: writing.acknowledged.length, lost, slowest };
}

async function killServer(site: DrillSite): Promise<void> {
  await site.end("SIGKILL");
  await site.start();
}

async function killPostgres(site: DrillSite): Promise<void> {
  const pid = await site.postgresPid();
  process.kill(pid, "SIGKILL");
  await until("PostgreSQL restarts", TIMEOUT_MS, async () => (await site.postgresPid()) !== pid);
}

/**
 * Kills the server 20 times and PostgreSQL 20 times, with `kill -9`, while 8 writers are active. Then checks that the
 * database contains every acknowledged row.
 */
export const crash: Drill = {
  name: "crash",
  title: "kill -9 while 8 writers are active loses no acknowledged write",
  async run() {
    const figures: Figure[] = [];
    await withSite({}, async (site) => {
      for (const [what, kill] of [
        ["the server", killServer],
        ["PostgreSQL", killPostgres],
      ] as const) {
        const { written, lost, slowest } = await killRepeatedly(site, kill);
        const times = `${ROUNDS} x kill -9 of ${what}`;
        figures.push(none(`${times}: 0 acknowledged writes lost`, lost, `${written} acknowledged`));
        figures.push(within(`${times}: serving again within 10 s`, slowest, 10_000));
      }
    });
    return figures;
  },
};
