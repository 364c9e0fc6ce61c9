import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type pg from "pg";
import { ENVIRONMENT, NODE, ROOT } from "../../tests/support/node.ts";
import { type Benchmark, type Figure, figure, formatNumber, median } from "../figures.ts";
import { type MeasuredSite, startMeasuredSite } from "../site.ts";

const MEMBERS = 20_000;
const ITEMS = 100_000;
const TIMES = 7;
const run = promisify(execFile);

const ACCOUNTS = `
  insert into auth.users (id, instance_id, aud, role, email, email_confirmed_at, created_at, updated_at)
  select md5('colleague ' || n)::uuid, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated',
    'colleague' || n || '@example.com', now(), now() - n * interval '1 minute', now()
  from generate_series(1, $1::int) as n`;
const PROFILES = `
  insert into public.profiles (id, username, full_name)
  select md5('colleague ' || n)::uuid, 'colleague' || n, 'Colleague ' || n
  from generate_series(1, $1::int) as n`;
/** A third of the items are of each kind. */
const CONTENT = [
  `insert into public.articles (author_id, title, content, published, created_at)
   select md5('colleague ' || 1 + n % $2::int)::uuid, 'What was learned on day ' || n, repeat(md5(n::text) || ' ', 60),
     n % 5 <> 4, now() - n * interval '3 minutes'
   from generate_series(1, $1::int / 3) as n`,
  `insert into public.useful_links (profile_id, title, url, category, created_at)
   select md5('colleague ' || 1 + n % $2::int)::uuid, 'Link ' || n, 'https://example.com/' || n, 'SQL',
     now() - n * interval '3 minutes'
   from generate_series(1, $1::int / 3) as n`,
  `insert into public.code_samples (profile_id, title, code_content, language, created_at)
   select md5('colleague ' || 1 + n % $2::int)::uuid, 'Sample ' || n, 'select ' || n, 'sql',
     now() - n * interval '3 minutes'
   from generate_series(1, $1::int - 2 * ($1::int / 3)) as n`,
];

async function load(admin: pg.Client): Promise<void> {
  // Disable the triggers, as in a restore. `rebuild_derived` does their work for all rows at once.
  await admin.query("set session_replication_role = replica");
  await admin.query(ACCOUNTS, [MEMBERS]);
  await admin.query(PROFILES, [MEMBERS]);
  for (const insert of CONTENT) await admin.query(insert, [ITEMS, MEMBERS]);
  await admin.query("select private.rebuild_derived()");
  await admin.query("set session_replication_role = origin");
  await admin.query("vacuum (analyze)");
}

/** Returns the milliseconds that each run of the action took. The first run doesn't count. */
async function time(action: () => Promise<unknown>): Promise<number[]> {
  await action();
  const times: number[] = [];
  for (let step = 0; step < TIMES; step++) {
    const start = performance.now();
    await action();
    times.push(performance.now() - start);
  }
  return times;
}

function timeCommand({ url, dataDir }: MeasuredSite, lines: number, program: string, ...args: string[]) {
  const env = { ...ENVIRONMENT, PORT: new URL(url).port, DATA_DIR: dataDir };
  return time(async () => {
    const { stdout } = await run(NODE, [`${ROOT}/scripts/${program}.mjs`, ...args], {
      env,
      maxBuffer: 2 ** 28,
    });
    const printed = stdout.trimEnd().split("\n").length;
    if (printed < lines) throw new Error(`The command printed ${printed} lines`);
  });
}

async function openAdmin({ url, admin, member, session }: MeasuredSite) {
  const promote = `update auth.users set raw_app_meta_data = raw_app_meta_data || '{"role":"operator"}' where id = $1`;
  await admin.query(promote, [member.id]);
  const headers = { authorization: `Bearer ${session.access_token}` };
  return (path: string) =>
    time(async () => {
      const response = await fetch(`${url}/admin/v1${path}`, { headers });
      const { rows } = (await response.json()) as { rows?: unknown[] };
      if (!rows?.length) throw new Error(`${path} returned ${response.status}`);
    });
}

const toFigure = (subject: string, times: number[], atMost: number): Figure =>
  figure(subject, median(times), {
    atMost,
    unit: "ms",
    note: `slowest ${formatNumber(Math.max(...times))} ms`,
  });

export const operators: Benchmark = {
  title: "Operators' lists",
  method: `A site with ${formatNumber(MEMBERS)} members and ${formatNumber(ITEMS)} items. The time that a command takes, including the start of its process and the output of all lines, and that the operators' page waits for a page of a list. Medians of ${TIMES} runs.`,
  async measure() {
    const site = await startMeasuredSite(10);
    try {
      await load(site.admin);
      const page = await openAdmin(site);
      return [
        toFigure("npm run member -- list", await timeCommand(site, MEMBERS, "member", "list"), 2_000),
        toFigure(
          "npm run member -- list --search colleague777",
          await timeCommand(site, 2, "member", "list", "--search", "colleague777"),
          2_000,
        ),
        toFigure(
          "npm run content -- list --limit 1000",
          await timeCommand(site, 1_000, "content", "list", "--limit", "1000"),
          2_000,
        ),
        toFigure("npm run content -- list", await timeCommand(site, ITEMS, "content", "list"), 20_000),
        toFigure("/admin, members", await page("/members"), 500),
        toFigure("/admin, members found by a part of a name", await page("/members?q=league+777"), 500),
        toFigure("/admin, operators", await page("/members?state=operator"), 500),
        toFigure("/admin, content", await page("/content"), 500),
        toFigure("/admin, content found by a text", await page("/content?q=day+777"), 500),
      ];
    } finally {
      await site.stop();
    }
  },
};
