import type { ItemFields, NewRow } from "../../common/data/schema.ts";
import { articles } from "../../common/kinds/articles.ts";
import { LIMITS } from "../../server/config/limits.ts";
import { startStatements } from "../../server/postgres/database.ts";
import { type Benchmark, figure, formatNumber, inTurns, median, ratio } from "../figures.ts";
import { type MeasuredSite, siteOf } from "../site.ts";
import texts from "../texts.json" with { type: "json" };

const SIZES = [2, 20, 200];
const ROUNDS = 9;
const SAVES = 20;
/** The database keeps this many versions of an item, so each later save also deletes one. */
const KEPT_VERSIONS = 50;
const ID = "00000000-0000-4000-8000-000000000002";

const columns = ["id", articles.ownerColumn, ...Object.keys(articles.columns), "updated_at"];
/** The statement that /rest/v1 runs to save an article. */
const UPSERT = `
  insert into public.${articles.table} (${columns.join()})
  select ${columns.join()} from json_populate_recordset(null::public.${articles.table}, $1)
  on conflict (id) do update set ${columns.map((column) => `${column} = excluded.${column}`).join()}`;

const DELETIONS = 50_000;

const startAsMember = ({ session }: MeasuredSite): string => {
  const [, payload = ""] = session.access_token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  return startStatements({ role: "authenticated", claims }, 10_000);
};

/** Returns a function that saves an article of this size and resolves to the milliseconds that the transaction took. */
function timedSave(site: MeasuredSite, kilobytes: number) {
  const { admin, member } = site;
  const start = startAsMember(site);
  const words = texts.vocabulary.split(" ");
  const content = Array.from({ length: kilobytes * 200 }, (_, index) => words[(index * index) % words.length])
    .join(" ")
    .slice(0, kilobytes * 1_000);
  let saves = 0;
  return async () => {
    saves += 1;
    const fields: ItemFields<NewRow<"articles">> = { title: `Saved ${saves}`, content, published: true };
    const row = {
      id: ID,
      [articles.ownerColumn]: member.id,
      ...fields,
      updated_at: new Date().toISOString(),
    };
    const startedAt = performance.now();
    await admin.query(start);
    await admin.query(UPSERT, [JSON.stringify([row])]);
    await admin.query("commit");
    return performance.now() - startedAt;
  };
}

/** Returns the milliseconds of a statement that deletes many small links of a member, and keeps a version of each. */
async function timedDeletion(site: MeasuredSite): Promise<number> {
  const { admin, member } = site;
  // Disable the triggers, because a member can't add so many rows at once.
  await admin.query("set session_replication_role = replica");
  await admin.query(
    `with added as (
       insert into public.useful_links (profile_id, title, url, category)
       select $1, 'Small', '/', 'x' from generate_series(1, ${DELETIONS}) returning id, profile_id, created_at)
     insert into private.search_documents (kind, id, owner, created_at, is_listed, listed, words, size)
     select 'useful_links', id, profile_id, created_at, true, 'small', 'small', 200 from added`,
    [member.id],
  );
  await admin.query("set session_replication_role = origin");
  await admin.query(startAsMember(site));
  const startedAt = performance.now();
  await admin.query("delete from public.useful_links where profile_id = $1 and title = 'Small'", [member.id]);
  const milliseconds = performance.now() - startedAt;
  await admin.query("rollback");
  await admin.query("delete from public.useful_links where title = 'Small'");
  return milliseconds;
}

export const versions: Benchmark = {
  title: "Versions",
  method: `The elapsed time of a transaction with the statements that /rest/v1 runs to save an article. Each of ${ROUNDS} rounds has ${SAVES} saves that keep a version and ${SAVES} that don't. The article has ${KEPT_VERSIONS} versions. The deletion is one statement of a member, who may take as long as the statement timeout.`,
  async measure() {
    const site = await siteOf(1_000);
    const figures = [];
    for (const kilobytes of SIZES) {
      const save = timedSave(site, kilobytes);
      for (let count = 0; count <= KEPT_VERSIONS; count++) await save();
      const series = async (state: "enable" | "disable") => {
        await site.admin.query(`alter table public.${articles.table} ${state} trigger keep_changed_version`);
        // Don't measure this save: PostgreSQL plans the trigger's statements again.
        await save();
        const times: number[] = [];
        for (let count = 0; count < SAVES; count++) times.push(await save());
        return median(times);
      };
      const pairs = await inTurns(
        ROUNDS,
        () => series("enable"),
        () => series("disable"),
      );
      await site.admin.query(`alter table public.${articles.table} enable trigger keep_changed_version`);
      const goal = { atMost: 1.3, unit: "ms", decimals: 2, than: "without versions" };
      figures.push(ratio(`saving an article of ${kilobytes} kB`, pairs, goal));
    }
    const goal = { atMost: LIMITS.database.memberStatementMs, unit: "ms" };
    figures.push(
      figure(`deleting ${formatNumber(DELETIONS)} links at once`, await timedDeletion(site), goal),
    );
    return figures;
  },
};
