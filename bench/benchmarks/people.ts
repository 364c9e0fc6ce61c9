import { brotliDecompressSync } from "node:zlib";
import type pg from "pg";
import { type Benchmark, type Figure, figure, formatNumber, median, quantile, ratio } from "../figures.ts";
import { getPage, startMeasuredSite } from "../site.ts";
import texts from "../texts.json" with { type: "json" };

const SIZES = [1_000, 100_000];
const SKILLS = 10;
const TIMES = 240;
/** Search for everyone, common, rare, unknown and short words, several words, categories and other scripts, in both orders. */
const SEARCHES = [
  "",
  "sort=name",
  "q=engineer",
  "q=terraform+engineer",
  "q=okafor&sort=name",
  "q=spark+tanaka+architect&category=aws",
  "q=member777",
  "q=ada&category=sql&sort=name",
  "q=nobodyhere",
  "q=enginear+dockar+pandes+kompany",
  "q=e",
  "q=okafor+tanaka",
  "q=zq",
  "q=zq+xw+vk+qj",
  "q=佐藤",
  "q=佐",
  "q=инженер+київ",
];
/** The first searches don't count, because V8 compiles the code during them. */
const WARM_UP = 2 * SEARCHES.length;

const PEOPLE = `
  insert into auth.users (id, instance_id, aud, role, email, email_confirmed_at, created_at, updated_at)
  select md5('person ' || n)::uuid, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated',
    'person' || n || '@example.com', now(), now(), now()
  from generate_series(1, $1::int) as n`;
const PROFILES = `
  insert into public.profiles
    (id, username, full_name, current_title, company, years_experience, featured_skills, bio)
  select md5('person ' || n)::uuid, 'member' || n,
    case when n % 50 = 0 then '佐藤 美咲 ' else '' end || ($2::text[])[1 + n % array_length($2::text[], 1)] || ' ' || ($3::text[])[1 + n / 7 % array_length($3::text[], 1)],
    (array['Data Engineer', 'Cloud Architect', 'Analyst'])[1 + n % 3], 'Company ' || n % 1000, n % 40,
    array['Python', 'SQL'], 'I work with data.'
  from generate_series(1, $1::int) as n`;
const ALL_SKILLS = `
  insert into public.skills (profile_id, category, name, proficiency, years_experience)
  select md5('person ' || 1 + n / ${SKILLS})::uuid, (array['python', 'sql', 'aws', 'tools'])[1 + n % 4],
    (array['pandas', 'PostgreSQL', 'Lambda', 'Docker', 'Terraform', 'Airflow', 'Spark'])[1 + (n * 7 + n / 10) % 7]
      || ' ' || abs(hashint4(n)) % 500, 1 + n % 5, n % 12
  from generate_series(0, $1::int * ${SKILLS} - 1) as n`;
const PEOPLE_PER_STATEMENT = 5_000;
const INDEX_PEOPLE = `
  select private.index_people(array(select md5('person ' || n)::uuid from generate_series($1::int, $2::int) as n))`;

export async function loadPeople(admin: pg.Client, size: number): Promise<void> {
  // Disable the triggers, as in a restore, because running them for each skill would take long.
  await admin.query("set session_replication_role = replica");
  await admin.query(PEOPLE, [size]);
  await admin.query(PROFILES, [size, texts.firstNames, texts.lastNames]);
  await admin.query(ALL_SKILLS, [size]);
  for (let start = 1; start <= size; start += PEOPLE_PER_STATEMENT)
    await admin.query(INDEX_PEOPLE, [start, Math.min(start + PEOPLE_PER_STATEMENT - 1, size)]);
  await admin.query("set session_replication_role = origin");
  await admin.query("vacuum (analyze)");
}

/** Returns the milliseconds that each search took. */
async function measureSearches(size: number): Promise<number[]> {
  const site = await startMeasuredSite(100);
  try {
    await loadPeople(site.admin, size);
    const times: number[] = [];
    for (let time = 0; time < TIMES; time++) {
      const start = performance.now();
      const { status, body } = await getPage(
        `${site.url}/people.data?${encodeURI(SEARCHES[time % SEARCHES.length] ?? "")}`,
      );
      times.push(performance.now() - start);
      if (status !== 200) throw new Error(`/people returned ${status}: ${brotliDecompressSync(body)}`);
    }
    return times.slice(WARM_UP);
  } finally {
    await site.stop();
  }
}

export const people: Benchmark = {
  title: "The directory of people",
  method: `The time to load the data of a page of /people from the database. The ${TIMES} searches are without a text, or for common, rare, unknown or several words, one or two letters, or words in Chinese or Cyrillic script. Some also select a category or sort by name. Each person has ${SKILLS} skills. The first ${WARM_UP} searches don't count.`,
  async measure() {
    const [few = [], many = []] = [
      await measureSearches(SIZES[0] ?? 0),
      await measureSearches(SIZES[1] ?? 0),
    ];
    const note = `median ${formatNumber(median(many))} ms, slowest ${formatNumber(Math.max(...many))} ms`;
    const figures: Figure[] = [
      figure("98% of searches among 100,000 people", quantile(many, 0.98), {
        atMost: 300,
        unit: "ms",
        note,
      }),
      ratio("growth from 1,000 to 100,000 people", [[median(many), median(few)]], {
        atMost: 2.5,
        unit: "ms",
        decimals: 1,
        than: "the median at 1,000",
      }),
    ];
    return figures;
  },
};
