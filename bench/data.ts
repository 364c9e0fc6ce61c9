import type pg from "pg";

/** Members who write, each with a name of their own. */
const AUTHORS = 2000;

const FIRST_NAMES = ["Ada", "Noor", "Kenji", "Lucía", "Olu", "Mira", "Jonas", "Thảo", "Sven", "Ewa"];
const LAST_NAMES = [
  "Okafor",
  "Lindqvist",
  "Tanaka",
  "Moreau",
  "Castillo",
  "Novak",
  "Haddad",
  "Byrne",
  "Sato",
  "Weiss",
];
const TOPICS = [
  "Window functions in PostgreSQL",
  "Typed settings with dataclasses",
  "Cheaper Lambda cold starts",
  "Streaming CSV with generators",
  "Reading a query plan",
  "Least privilege for S3 buckets",
  "Testing with a real database",
  "Asyncio without surprises",
  "Partitioning a table that grew",
  "Retries that do no harm",
];
const PARAGRAPHS = [
  "The first version worked on a laptop and fell over in production, because nobody had asked how many rows there would be. What follows is what we measured, and what we changed.",
  "Start with the query plan, not with the index. A **sequential scan** over a small table is fine; the same scan inside a nested loop is not. The plan tells which of the two it is.",
  "There are three things to know:\n\n- measure before and after, on the same machine\n- change one thing at a time\n- write down what you expected\n\nMost surprises come from skipping the last one.",
  "Latency adds up. Ten calls of 20 ms one after another take longer than one that fetches everything, see the [documentation](https://docs.python.org/3/library/asyncio.html) for how to send them together.",
  "We keep the raw events in a bucket and load them with `COPY`, which is an order of magnitude faster than single inserts and needs no driver at all.",
  "A generator holds one row at a time. Memory stays flat whether the file has a thousand lines or ten million, and the code reads like the loop that it replaces.",
  "| setting | before | after |\n| --- | --- | --- |\n| work_mem | 4 MB | 64 MB |\n| batch | 1 | 500 |\n\nThe batch made the difference; the memory alone did nothing.",
  "> Premature optimisation is the root of all evil.\n\nTrue, and often quoted by people who have not measured anything yet.",
];
const CODE = [
  '```python\nfrom collections.abc import Iterator\n\ndef read_rows(path: str) -> Iterator[dict[str, str]]:\n    """Yield one row at a time."""\n    with open(path, newline="") as file:\n        yield from csv.DictReader(file)\n```',
  "```sql\nselect author_id, count(*) filter (where published) as published\nfrom articles\nwhere created_at > now() - interval '30 days'\ngroup by author_id\norder by published desc;\n```",
  '```bash\naws s3 sync ./events "s3://$BUCKET/events" --exclude "*.tmp"\npsql "$DATABASE_URL" -c "\\\\copy events from events.csv csv header"\n```',
  "```yaml\nservices:\n  api:\n    image: python:3.13-slim\n    environment:\n      LOG_LEVEL: info\n```",
  "```typescript\nconst pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));\n\nfor (let attempt = 1; attempt <= 5; attempt++) {\n  if (await tryOnce()) break;\n  await pause(2 ** attempt * 100);\n}\n```",
];

/** What sets one text apart from the next: without it a list would compress better than any real one. */
const VOCABULARY =
  "account adapter alarm archive argument batch bucket cache callback channel checkpoint client cluster column commit config connection consumer container counter cursor daemon decorator default delay deploy driver endpoint engine error event export factory failure field filter fixture folder format function gateway grant handler header helper hook import index instance iterator journal kernel lambda layer ledger limit listener locale lock logger loop manager memory message metric migration module monitor network node notebook object offset operator option owner package parameter parser partition password payload pipeline policy pool prefix process producer profile protocol proxy queue quota record region registry release replica report request resource result retry role route sample schema script secret segment sensor server service session setting shard signal snapshot socket source stack stage statement storage stream subnet switch table target task template tenant thread timeout token trace transaction trigger tuple update upload vacuum validator value variable vector version view volume warehouse watcher webhook worker wrapper".split(
    " ",
  );
const OWN_WORDS = 50;

/** Words to type, letter by letter: usual ones, and some whose first letters lead ever further down the list. */
export const WORDS = [
  "latency",
  "window",
  "generator",
  "published",
  "journal",
  "kernel",
  "vacuum",
  "quota",
  "webhook",
  "observer",
  "tenant",
  "cold",
  "start",
  "settings",
  "dataclass",
  "partition",
  "retries",
  "bucket",
  "sequential",
  "scan",
  "index",
  "memory",
  "query",
  "plan",
  "export",
  "schema",
  "trigger",
  "signal",
  "worker",
  "cursor",
  "cluster",
  "proxy",
  "shard",
  "python",
  "lambda",
  "asyncio",
  "batch",
  "channel",
  "driver",
  "engine",
  "gateway",
  "ledger",
  "monitor",
  "network",
  "offset",
  "parser",
  "pipeline",
  "region",
  "sensor",
  "snapshot",
  "stream",
  "timeout",
  "version",
  "warehouse",
  "documentation",
  "production",
  "laptop",
  "zyxwvut",
  "qjvkxzw",
];
const LADDERS = ["zyxwvut", "qjvkxzw"];

/** The indexes of the search, with those of their columns that are never analysed: a definition does not say so. */
const SEARCH_INDEXES = `
  select oid::regclass::text as name, pg_get_indexdef(oid) as definition,
    array(select attnum from pg_attribute where attrelid = oid and attstattarget = 0) as "notAnalysed"
  from pg_class where relnamespace = 'public'::regnamespace and relname like '%\\_search\\_idx'`;

/** The same items each time. The indexes are built afterwards, as a backup is restored. */
export async function loadItems(admin: pg.Client, size: number): Promise<void> {
  await admin.query("set maintenance_work_mem = '256MB'; set synchronous_commit = off");
  const { rows: indexes } = await admin.query<{ name: string; definition: string; notAnalysed: number[] }>(
    SEARCH_INDEXES,
  );
  for (const { name } of indexes) await admin.query(`drop index ${name}`);
  await loadAuthors(admin);
  await loadArticles(admin, size);
  await loadLinks(admin, size);
  await loadSamples(admin, size);
  await placeLadders(admin, size);
  for (const { name, definition, notAnalysed } of indexes) {
    await admin.query(definition);
    for (const column of notAnalysed) {
      await admin.query(`alter index ${name} alter column ${column} set statistics 0`);
    }
  }
  await admin.query("vacuum (analyze)");
  await admin.query("checkpoint");
}

const one = (list: string, from: string) => `(${list})[1 + (${from}) % array_length(${list}, 1)]`;
/** A member by number: ids are derived from it, so that no join is needed. */
const author = (number: string) => `md5('member ' || (${number}) % ${AUTHORS})::uuid`;
const moment = (i: string) => `timestamptz '2026-06-01 00:00:00Z' - ${i} * interval '7 minutes'`;

async function loadAuthors(admin: pg.Client): Promise<void> {
  await admin.query(
    `insert into auth.users (id, instance_id, aud, role, email, email_confirmed_at, created_at, updated_at)
     select ${author("i")}, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated',
       'member' || i || '@example.com', now(), now(), now()
     from generate_series(0, ${AUTHORS - 1}) as i`,
  );
  await admin.query(
    `update public.profiles set
       username = 'member' || i, full_name = ${one("$1::text[]", "i")} || ' ' || ${one("$2::text[]", "i / 10")} || ' ' || i,
       bio = 'I work with data.', current_title = 'Data Engineer', company = 'Example', years_experience = i % 30,
       featured = i < 10, featured_skills = array['Python', 'SQL']
     from generate_series(0, ${AUTHORS - 1}) as i where id = ${author("i")}`,
    [FIRST_NAMES, LAST_NAMES],
  );
  await admin.query(
    `insert into public.skills (profile_id, category, name, proficiency, years_experience)
     select ${author("i / 4")}, (array['python', 'sql', 'aws', 'tools'])[1 + i % 4],
       (array['pandas', 'PostgreSQL', 'Lambda', 'Docker'])[1 + i % 4], 1 + i % 5, i % 12
     from generate_series(0, 39) as i`,
  );
}

async function loadArticles(admin: pg.Client, size: number): Promise<void> {
  const paragraph = (shift: number) => one("$2::text[]", `i * 7 + i / 8 + ${shift}`);
  await admin.query(
    `insert into public.articles (id, author_id, title, content, published, created_at)
     select md5('article ' || i)::uuid, ${author("i * 13")}, ${one("$1::text[]", "i * 3")} || ', part ' || i,
       '## Case ' || i || E'\\n\\n' || ${paragraph(0)} || E'\\n\\n' || ${one("$3::text[]", "i")} || E'\\n\\n' ||
       ${paragraph(3)} || E'\\n\\n' || ${paragraph(5)} ||
       case when i % 3 = 0 then E'\\n\\n' || ${one("$3::text[]", "i / 3 + 2")} else '' end ||
       E'\\n\\nWhat we looked at: ' || words.list || '.',
       i % 5 <> 0, ${moment("i")}
     from generate_series(0, $4::int - 1) as i cross join lateral (
       select string_agg(($5::text[])[1 + abs(hashint8(i::bigint * 1000 + n)) % array_length($5::text[], 1)], ' ') as list
       from generate_series(1, ${OWN_WORDS}) as n
     ) as words`,
    [TOPICS, PARAGRAPHS, CODE, size, VOCABULARY],
  );
}

async function loadLinks(admin: pg.Client, size: number): Promise<void> {
  await admin.query(
    `insert into public.useful_links (id, profile_id, title, url, description, category, created_at)
     select md5('link ' || i)::uuid, ${author("i * 17")}, ${one("$1::text[]", "i")} || ' ' || i,
       'https://docs.python.org/3/?item=' || i, left(${one("$2::text[]", "i")}, 180),
       (array['Python', 'SQL', 'AWS', 'Tools'])[1 + i % 4], ${moment("i")}
     from generate_series(0, $3::int - 1) as i`,
    [TOPICS, PARAGRAPHS, size],
  );
}

async function loadSamples(admin: pg.Client, size: number): Promise<void> {
  await admin.query(
    `insert into public.code_samples (id, profile_id, title, description, code_content, language, created_at)
     select md5('sample ' || i)::uuid, ${author("i * 19")}, ${one("$1::text[]", "i")} || ' ' || i,
       left(${one("$2::text[]", "i")}, 120), ${one("$3::text[]", "i")},
       (array['python', 'sql', 'bash', 'yaml', 'typescript'])[1 + i % 5], ${moment("i")}
     from generate_series(0, $4::int - 1) as i`,
    [TOPICS, PARAGRAPHS, CODE.map((code) => code.replace(/^```\w+\n|\n```$/g, "")), size],
  );
}

/** Each further letter of such a word is found further down the list: the last only in its oldest half. */
async function placeLadders(admin: pg.Client, size: number): Promise<void> {
  for (const [which, word] of LADDERS.entries()) {
    for (let letters = 1; letters <= word.length; letters++) {
      const depth = which === 0 ? letters : ((letters + 1) / (word.length + 2)) ** 2;
      const rank = which === 0 ? Math.min(size - 1, depth * 3) : Math.floor(depth * (size - 1));
      await admin.query(
        "update public.articles set content = content || $1 where id = md5('article ' || $2::int)::uuid",
        [`\n\nKnown as ${word.slice(0, letters)}.`, rank],
      );
    }
  }
}

/** How many articles fill a phone's screen: a list need not have more of them when it is painted. */
export const ON_SCREEN = 2;

/** The ids of the articles on the screen for this search. Asks as the superuser. */
export async function firstFound(admin: pg.Client, text: string): Promise<string[]> {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const answer = await admin.query<{ id: string }>(
    "select id from public.articles where title ilike $1 or content ilike $1 order by created_at desc, id limit $2",
    [pattern, ON_SCREEN],
  );
  return answer.rows.map(({ id }) => id);
}
