import { AUTHOR, newest, newestEntries } from "../data/content-reads.ts";
import { featuredPeople, withWriters } from "../data/people-reads.ts";
import type { Article, Authored } from "../data/schema.ts";
import type { PageContext } from "../site.ts";
import { beginning, excerpt } from "./excerpt.ts";

export type HomeData = Awaited<ReturnType<typeof loadHome>>;

/** More than the four lines that are seen of it. */
const BIO_CHARACTERS = 1_000;
const ARTICLE = `id,author_id,title,content,created_at,${AUTHOR}`;

/** Specification §7, calls 4 to 8, and §9. A read that fails leaves its panel empty and is logged (§8). */
export async function loadHome({ data, logFailure }: PageContext) {
  const quietly = <Row>(name: string, read: Promise<Row[]>): Promise<Row[]> =>
    read.catch((error: unknown) => {
      logFailure(`home.${name}`, error);
      return [];
    });
  const newestArticles = newest<Authored<Article>>(data, "articles", { columns: ARTICLE, limit: 3 });
  const [professionals, articles, links, samples] = await Promise.all([
    quietly("professionals", featuredPeople(data)),
    quietly(
      "articles",
      newestArticles.then((rows) => withWriters(data, rows)),
    ),
    quietly("links", newestEntries(data, "useful_links")),
    quietly("samples", newestEntries(data, "code_samples")),
  ]);
  return {
    professionals: professionals.map((person) => ({
      ...person,
      bio: person.bio && beginning(person.bio, BIO_CHARACTERS),
    })),
    articles: articles.map(({ id, title, created_at, content, profiles }) => ({
      id,
      title,
      created_at,
      profiles,
      excerpt: excerpt(content),
    })),
    links,
    samples,
  };
}
