import pg from "pg";
import { MAX_CHARACTERS } from "../common/data/limits.ts";
import { articles } from "../common/kinds/articles.ts";
import { KINDS } from "../common/kinds/index.ts";
import type { KindDefinition } from "../common/kinds/kind-definition.ts";
import texts from "./texts.json" with { type: "json" };

/** Without another number of members, this many are loaded. */
const MEMBERS = 2000;
/** More rows in one statement use more memory: triggers receive all of them. */
const ROWS_PER_INSERT = 10_000;
/** The largest number of items of a kind other than articles. */
const MAX_OTHER_ITEMS = 100_000;
/** The number of random words in each article. Without them, lists would compress better than real ones. */
const RANDOM_WORDS = 50;
/** Longer prefixes of this word occur only further down the list, so that each typed letter changes the result. */
const TYPED_WORD = "zyxwvut";

const { firstNames, lastNames, topics, paragraphs, code, vocabulary } = texts;
const samples = code.map((block) => block.replace(/^```\w+\n|\n```$/g, ""));

const pick = (list: readonly string[], index: string) =>
  `(array[${list.map((text) => pg.escapeLiteral(text)).join()}])[1 + (${index}) % ${list.length}]`;
/** Derives an author's id from a number, so that no join is needed. */
const author = (number: string, members: number) => `md5('member ' || (${number}) % ${members})::uuid`;
const paragraph = (shift: number) => pick(paragraphs, `i * 7 + i / 8 + ${shift}`);

const insertAccounts = (members: number) => `
  insert into auth.users (id, instance_id, aud, role, email, email_confirmed_at, created_at, updated_at)
  select ${author("i", members)}, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated',
    'member' || i || '@example.com', now(), now(), now()
  from generate_series($1::int, $2::int - 1) as i`;
const updateProfiles = (members: number) => `
  update public.profiles set username = 'member' || i,
    full_name = ${pick(firstNames, "i")} || ' ' || ${pick(lastNames, "i / 10")} || ' ' || i,
    bio = 'I work with data.', current_title = 'Data Engineer', company = 'Example', years_experience = i % 30,
    featured = i < 10, featured_skills = array['Python', 'SQL']
  from generate_series($1::int, $2::int - 1) as i where id = ${author("i", members)}`;
const insertSkills = (members: number) => `
  insert into public.skills (profile_id, category, name, proficiency, years_experience)
  select ${author("i / 4", members)}, (array['python', 'sql', 'aws', 'tools'])[1 + i % 4],
    (array['pandas', 'PostgreSQL', 'Lambda', 'Docker'])[1 + i % 4], 1 + i % 5, i % 12
  from generate_series(0, 39) as i`;
const LONG_TEXT = `
  concat_ws(E'\\n\\n', '## Case ' || i, ${paragraph(0)}, ${pick(code, "i")}, ${paragraph(3)}, ${paragraph(5)},
    case when i % 3 = 0 then ${pick(code, "i / 3 + 2")} end, 'What we looked at: ' || (
      select string_agg(${pick(vocabulary.split(" "), "abs(hashint8(i::bigint * 1000 + n))")}, ' ')
      from generate_series(1, ${RANDOM_WORDS}) as n
    ) || '.')`;

/** Returns SQL for the value of a column in item number `i`. */
function exampleOf({ columns }: KindDefinition, name: string): string {
  if (name === "title") return `${pick(topics, "i * 3")} || ', part ' || i`;
  const column = columns[name];
  switch (column?.type) {
    case "flag":
      return "i % 5 <> 4";
    case "choice":
      return pick(Object.keys(column.options), "i");
    case "address":
      return "'https://docs.python.org/3/?item=' || i";
    case "code":
      return pick(samples, "i");
    case "markdown":
      return LONG_TEXT;
    case "date":
      return "date '2026-06-01' - i";
    case "number":
      return `${column.min}`;
    case "text":
      return column.maxLength > MAX_CHARACTERS.name
        ? `left(${paragraph(0)}, 140)`
        : pick(["Python", "SQL", "AWS", "Tools"], "i");
    default:
      return "'{}'";
  }
}

function insertItems(kind: KindDefinition, members: number): string {
  const names = Object.keys(kind.columns);
  const values = names.map((name) => exampleOf(kind, name));
  return `
    insert into public.${kind.table} (id, ${kind.ownerColumn}, created_at, ${names.join()})
    select md5('${kind.table} ' || i)::uuid, case i when 0 then $2::uuid else ${author("i * 13", members)} end,
      timestamptz '2026-06-01 00:00:00Z' - i * interval '7 minutes', ${values.join()}
    from generate_series($1::int, $3::int - 1) as i`;
}

const ADD_PREFIX = `
  update public.${articles.table} set content = content || $1 where id = md5('${articles.table} ' || $2::int)::uuid`;
const SEARCH_INDEXES = `
  select format('%I.%I', schemaname, indexname) as name, indexdef as definition from pg_indexes
  where schemaname in ('public', 'private') and indexname ~ '_(search|words|listed)_idx$'`;

/**
 * Loads `size` items of each kind (but at most `maxOtherItems` links and samples), always the same ones. Builds the search
 * indexes afterwards, as pg_restore does, because that is faster. Also loads the database of release 0.1.0.
 */
export async function loadItems(
  admin: pg.Client,
  size: number,
  newestAuthor: string,
  members = MEMBERS,
  maxOtherItems = MAX_OTHER_ITEMS,
): Promise<void> {
  await admin.query("set maintenance_work_mem = '256MB'; set synchronous_commit = off");
  const { rows: indexes } = await admin.query<{ name: string; definition: string }>(SEARCH_INDEXES);
  for (const { name } of indexes) await admin.query(`drop index ${name}`);
  for (const statement of [insertAccounts(members), updateProfiles(members)])
    for (let start = 0; start < members; start += ROWS_PER_INSERT)
      await admin.query(statement, [start, Math.min(start + ROWS_PER_INSERT, members)]);
  await admin.query(insertSkills(members));
  for (const kind of KINDS) {
    const count = kind === articles ? size : Math.min(size, maxOtherItems);
    const insert = insertItems(kind, members);
    for (let start = 0; start < count; start += ROWS_PER_INSERT)
      await admin.query(insert, [start, newestAuthor, Math.min(start + ROWS_PER_INSERT, count)]);
  }
  for (let letters = 1; letters <= TYPED_WORD.length; letters++) {
    const depth = ((letters + 1) / (TYPED_WORD.length + 2)) ** 2;
    const text = `\n\nKnown as ${TYPED_WORD.slice(0, letters)}.`;
    await admin.query(ADD_PREFIX, [text, Math.floor(depth * (size - 1))]);
  }
  // An index also gets rows that were changed a moment ago. If autovacuum has removed their long texts, building it fails.
  const { rows: tables } = await admin.query("select to_regclass('private.search_documents') as documents");
  if (tables[0].documents !== null) await admin.query("vacuum private.search_documents");
  for (const { definition } of indexes) await admin.query(definition);
  await admin.query("vacuum (analyze)");
  await admin.query("checkpoint");
}
