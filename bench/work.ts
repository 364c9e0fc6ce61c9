import { clientOf, getPage, type MeasuredSite } from "./site.ts";

const ID = "00000000-0000-4000-8000-000000000001";
/** Common words, rare ones and authors. */
const SEARCHES = ["q=latency", "q=zyxwvut", "q=nowhere", "author=Okafor", "q=window&author=ada&sort=asc"];

/** What visitors and members do, by HTTP. A save drops every cached page. */
export function createWork(site: MeasuredSite, url = site.url) {
  const articles = clientOf(url, site).from("articles");
  const item = { id: ID, author_id: site.member.id, content: "## What changed\n\nThe title.\n".repeat(20) };
  const save = (title: string) => articles.upsert({ ...item, title }).throwOnError();
  const list = () => getPage(`${url}/articles`);
  return {
    save,
    list,
    async saveAndList(time: number) {
      await save(`Shown ${time}`);
      await list();
    },
    search: (time: number) => getPage(`${url}/lists/articles?${SEARCHES[time % SEARCHES.length]}`),
    clear: () => articles.delete().eq("id", ID).throwOnError(),
  };
}

export async function repeat(times: number, work: (time: number) => PromiseLike<unknown>): Promise<void> {
  for (let time = 0; time < times; time++) await work(time);
}
