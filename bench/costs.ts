import { createCommunity } from "../tests/support/members.ts";
import { burst } from "./load.ts";
import { clientOf, getPage, type MeasuredSite, type RunningSite } from "./site.ts";
import { ownCpu } from "./usage.ts";

const TIMES = 100;
const SIGN_INS = 20;
const CACHED = 5_000;
const ID = "00000000-0000-4000-8000-000000000001";
const SEARCHES = ["q=latency", "q=zyxwvut", "q=nowhere", "author=Okafor", "q=window&author=ada&sort=asc"];

/** Milliseconds of processor time of the site's process, and of its connections to the database. */
export type Cost = [server: number, database: number];
type Act = (time: number) => PromiseLike<unknown>;

export async function repeat(times: number, act: Act): Promise<void> {
  for (let time = 0; time < times; time++) await act(time);
}

/** Writes always the same article, by HTTP. A save drops every cached page. */
export function createArticle(site: MeasuredSite, url: string) {
  const client = clientOf(url, site);
  const row = { id: ID, author_id: site.member.id, content: "## What changed\n\nThe title.\n".repeat(20) };
  return {
    save: (title: string) =>
      client
        .from("articles")
        .upsert({ ...row, title })
        .throwOnError(),
    clear: () => client.from("articles").delete().eq("id", ID).throwOnError(),
  };
}

/** Not of the whole database: what it does in the background comes and goes. */
async function connectionsCpu({ admin }: MeasuredSite): Promise<Map<number, number>> {
  const { rows } = await admin.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name like 'techfolio%'",
  );
  return new Map(await Promise.all(rows.map(async ({ pid }) => [pid, await ownCpu(pid)] as const)));
}

/** What a request costs on `site`'s database, through one of its processes. */
export async function measureCosts(site: MeasuredSite, { url, pid }: RunningSite = site) {
  const { save, clear } = createArticle(site, url);
  const { openSession } = createCommunity({ url, keys: site.keys });
  async function costOf(times: number, work: () => Promise<unknown>): Promise<Cost> {
    const [server, connections] = [await ownCpu(pid), await connectionsCpu(site)];
    await work();
    let database = 0;
    for (const [each, cpu] of await connectionsCpu(site)) database += cpu - (connections.get(each) ?? 0);
    return [((await ownCpu(pid)) - server) / times, database / times];
  }
  const search: Act = (time) => getPage(`${url}/lists/articles?${SEARCHES[time % SEARCHES.length]}`);
  const saveAndRead: Act = (time) => save(`Shown ${time}`).then(() => getPage(`${url}/articles`));
  // Compilers are at work in the first ones.
  await repeat(30, (time) => saveAndRead(time).then(() => search(time)));
  const options = { headers: { "Accept-Encoding": "br" }, connections: 4 };
  const cached = await costOf(CACHED, () => burst(`${url}/articles`, CACHED, options));
  const saved = await costOf(TIMES, () => repeat(TIMES, (time) => save(`Saved ${time}`)));
  const both = await costOf(TIMES, () => repeat(TIMES, saveAndRead));
  const found = await costOf(TIMES, () => repeat(TIMES, search));
  const entered = await costOf(SIGN_INS, () => repeat(SIGN_INS, () => openSession(site.member)));
  await clear();
  const afresh: Cost = [both[0] - saved[0], both[1] - saved[1]];
  return { cached, afresh, found, saved, entered };
}
