import { AUTHOR, newest } from "../data/content-reads.ts";
import { featuredPeople, type Professional, withWriters } from "../data/people-reads.ts";
import type { Article, Authored, CodeSample, UsefulLink, Writer } from "../data/schema.ts";
import type { PageContext } from "../site.ts";
import { excerpt } from "./excerpt.ts";

/** What the home page shows, and no more than that travels to the browser. */
export interface HomeData {
  professionals: Professional[];
  articles: (Authored<Pick<Article, "id" | "title" | "created_at">, Writer> & { excerpt: string })[];
  links: Pick<UsefulLink, "id" | "title" | "category">[];
  samples: Pick<CodeSample, "id" | "title" | "language">[];
}

const ARTICLE = `id,author_id,title,content,created_at,${AUTHOR}`;

/** Specification §7, calls 4 to 8, and §9. A read that fails leaves its panel empty and is logged (§8). */
export async function loadHome({ data, logFailure }: PageContext): Promise<HomeData> {
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
    quietly("links", newest<UsefulLink>(data, "useful_links", { columns: "id,title,category", limit: 10 })),
    quietly("samples", newest<CodeSample>(data, "code_samples", { columns: "id,title,language", limit: 10 })),
  ]);
  return {
    professionals,
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
