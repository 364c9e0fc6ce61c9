import { createClient } from "@supabase/supabase-js";
import { articles } from "../common/kinds/articles.ts";
import { connectionsCpu, connectionsCpuSince, ownCpu } from "../tests/support/cpu.ts";
import { createCommunity } from "../tests/support/members.ts";
import { burst } from "./load.ts";
import { getPage, type MeasuredSite, type RunningSite } from "./site.ts";

const TIMES = 100;
const SIGN_INS = 20;
const CACHED = 5_000;
const ID = "00000000-0000-4000-8000-000000000001";
const SEARCHES = ["q=latency", "q=zyxwvut", "q=nowhere", "author=Okafor", "q=window&author=ada&sort=asc"];

/** CPU milliseconds of a server's process and of all its database connections. */
export type Cost = [server: number, database: number];
type Action = (time: number) => PromiseLike<unknown>;

export async function repeat(times: number, action: Action): Promise<void> {
  for (let time = 0; time < times; time++) await action(time);
}

/** Returns a function that saves the same article under a new title. Each save makes all cached pages stale. */
export function saveArticle({ keys, session, member }: MeasuredSite, url: string) {
  const client = createClient(url, keys.anonKey, { accessToken: async () => session.access_token });
  const row = {
    id: ID,
    [articles.ownerColumn]: member.id,
    content: "## What changed\n\nThe title.\n".repeat(20),
  };
  return (title: string) =>
    client
      .from(articles.table)
      .upsert({ ...row, title })
      .throwOnError();
}

/** Returns the CPU cost of one repetition, for the process `pid` and the site's database. */
export async function costOf(
  site: Pick<MeasuredSite, "admin">,
  pid: number,
  times: number,
  work: () => Promise<unknown>,
): Promise<Cost> {
  const [server, connections] = [await ownCpu(pid), await connectionsCpu(site.admin)];
  await work();
  const database = await connectionsCpuSince(site.admin, connections);
  return [((await ownCpu(pid)) - server) / times, database / times];
}

export async function measureCosts(site: MeasuredSite, { url, pid }: RunningSite = site) {
  const write = saveArticle(site, url);
  const list = url + articles.path;
  const { openSession } = createCommunity({ url, keys: site.keys });
  const find: Action = (time) => getPage(`${list}.data?${SEARCHES[time % SEARCHES.length]}`);
  const saveAndRead: Action = (time) => write(`Shown ${time}`).then(() => getPage(list));
  // Warm up: V8 compiles the code during the first requests.
  await repeat(30, (time) => saveAndRead(time).then(() => find(time)));
  const cachedPage = await costOf(site, pid, CACHED, () => burst(list, CACHED));
  const mean = (times: number, action: Action) => costOf(site, pid, times, () => repeat(times, action));
  const save = await mean(TIMES, (time) => write(`Saved ${time}`));
  const both = await mean(TIMES, saveAndRead);
  const search = await mean(TIMES, find);
  const signIn = await mean(SIGN_INS, () => openSession(site.member));
  const page: Cost = [both[0] - save[0], both[1] - save[1]];
  return { "cached page": cachedPage, page, search, save, "sign-in": signIn };
}
