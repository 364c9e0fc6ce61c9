import type pg from "pg";
import texts from "./texts.json" with { type: "json" };

const AUTHORS = 2000;
/** Random words per text. Without them, lists would compress better than real ones. */
const RANDOM_WORDS = 50;
/** Longer prefixes of this word occur only further down the list, so that each typed letter changes the result. */
const TYPED_WORD = "zyxwvut";

const pick = (list: string, index: string) =>
  `(${list}::text[])[1 + (${index}) % array_length(${list}::text[], 1)]`;
/** Derives an author's id from a number, so that no join is needed. */
const author = (number: string) => `md5('member ' || (${number}) % ${AUTHORS})::uuid`;
const CREATED = "timestamptz '2026-06-01 00:00:00Z' - i * interval '7 minutes'";
const paragraph = (shift: number) => pick("$2", `i * 7 + i / 8 + ${shift}`);

const ACCOUNTS = `
  insert into auth.users (id, instance_id, aud, role, email, email_confirmed_at, created_at, updated_at)
  select ${author("i")}, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated',
    'member' || i || '@example.com', now(), now(), now()
  from generate_series(0, ${AUTHORS - 1}) as i`;
const PROFILES = `
  update public.profiles set username = 'member' || i,
    full_name = ${pick("$1", "i")} || ' ' || ${pick("$2", "i / 10")} || ' ' || i,
    bio = 'I work with data.', current_title = 'Data Engineer', company = 'Example', years_experience = i % 30,
    featured = i < 10, featured_skills = array['Python', 'SQL']
  from generate_series(0, ${AUTHORS - 1}) as i where id = ${author("i")}`;
const SKILLS = `
  insert into public.skills (profile_id, category, name, proficiency, years_experience)
  select ${author("i / 4")}, (array['python', 'sql', 'aws', 'tools'])[1 + i % 4],
    (array['pandas', 'PostgreSQL', 'Lambda', 'Docker'])[1 + i % 4], 1 + i % 5, i % 12
  from generate_series(0, 39) as i`;
const ARTICLES = `
  insert into public.articles (id, author_id, title, content, published, created_at)
  select md5('article ' || i)::uuid, case i when 0 then $6::uuid else ${author("i * 13")} end, ${pick("$1", "i * 3")} || ', part ' || i,
    concat_ws(E'\\n\\n', '## Case ' || i, ${paragraph(0)}, ${pick("$3", "i")}, ${paragraph(3)}, ${paragraph(5)},
      case when i % 3 = 0 then ${pick("$3", "i / 3 + 2")} end, 'What we looked at: ' || words.list || '.'),
    i % 5 <> 4, ${CREATED}
  from generate_series(0, $4::int - 1) as i cross join lateral (
    select string_agg(${pick("$5", "abs(hashint8(i::bigint * 1000 + n))")}, ' ') as list
    from generate_series(1, ${RANDOM_WORDS}) as n
  ) as words`;
const LINKS = `
  insert into public.useful_links (id, profile_id, title, url, description, category, created_at)
  select md5('link ' || i)::uuid, ${author("i * 17")}, ${pick("$1", "i")} || ' ' || i,
    'https://docs.python.org/3/?item=' || i, left(${pick("$2", "i")}, 180),
    (array['Python', 'SQL', 'AWS', 'Tools'])[1 + i % 4], ${CREATED}
  from generate_series(0, $3::int - 1) as i`;
const SAMPLES = `
  insert into public.code_samples (id, profile_id, title, description, code_content, language, created_at)
  select md5('sample ' || i)::uuid, ${author("i * 19")}, ${pick("$1", "i")} || ' ' || i,
    left(${pick("$2", "i")}, 120), ${pick("$3", "i")},
    (array['python', 'sql', 'bash', 'yaml', 'typescript'])[1 + i % 5], ${CREATED}
  from generate_series(0, $4::int - 1) as i`;
const ADD_PREFIX =
  "update public.articles set content = content || $1 where id = md5('article ' || $2::int)::uuid";
const SEARCH_INDEXES = `
  select 'public.' || indexname as name, indexdef as definition from pg_indexes
  where schemaname = 'public' and indexname like '%\\_search\\_idx'`;

/** Loads the same items on each call. Builds the search indexes afterwards, like a restore, because that is faster. */
export async function loadItems(admin: pg.Client, size: number, newestAuthor: string): Promise<void> {
  const { firstNames, lastNames, topics, paragraphs, code, vocabulary } = texts;
  await admin.query("set maintenance_work_mem = '256MB'; set synchronous_commit = off");
  const { rows: indexes } = await admin.query<{ name: string; definition: string }>(SEARCH_INDEXES);
  for (const { name } of indexes) await admin.query(`drop index ${name}`);
  await admin.query(ACCOUNTS);
  await admin.query(PROFILES, [firstNames, lastNames]);
  await admin.query(SKILLS);
  await admin.query(ARTICLES, [topics, paragraphs, code, size, vocabulary.split(" "), newestAuthor]);
  await admin.query(LINKS, [topics, paragraphs, size]);
  const samples = code.map((block) => block.replace(/^```\w+\n|\n```$/g, ""));
  await admin.query(SAMPLES, [topics, paragraphs, samples, size]);
  for (let letters = 1; letters <= TYPED_WORD.length; letters++) {
    const depth = ((letters + 1) / (TYPED_WORD.length + 2)) ** 2;
    const text = `\n\nKnown as ${TYPED_WORD.slice(0, letters)}.`;
    await admin.query(ADD_PREFIX, [text, Math.floor(depth * (size - 1))]);
  }
  for (const { definition } of indexes) await admin.query(definition);
  await admin.query("vacuum (analyze)");
  await admin.query("checkpoint");
}
