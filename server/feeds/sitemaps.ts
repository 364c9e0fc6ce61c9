import { LISTS } from "../../app/data/addresses.ts";
import type { DataClient } from "../../app/data/client.ts";
import type { ContentTable } from "../../app/data/content-reads.ts";
import {
  countForSitemap,
  itemsForSitemap,
  peopleForSitemap,
  SITEMAP_PEOPLE,
  SITEMAP_ROWS,
  type SitemapTable,
} from "../../app/data/feed-reads.ts";
import { XML_DECLARATION, xmlText } from "../xml.ts";

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

export interface SitemapEntry {
  url: string;
  changedAt?: string | null | undefined;
}

/** sitemaps.org, "Sitemap XML format". */
export function writeSitemap(entries: SitemapEntry[], root = "urlset", name = "url"): string {
  const written = entries.map(({ url, changedAt }) => {
    const changed = changedAt ? `<lastmod>${xmlText(changedAt)}</lastmod>` : "";
    return `<${name}><loc>${xmlText(url)}</loc>${changed}</${name}>\n`;
  });
  return `${XML_DECLARATION}<${root} xmlns="${NAMESPACE}">\n${written.join("")}</${root}>\n`;
}

export function writeRobots(siteUrl: string): string {
  return `User-agent: *
Disallow: /auth/
Disallow: /rest/
Allow: /

Sitemap: ${siteUrl}/sitemap.xml
`;
}

const SITEMAPS: Record<string, SitemapTable> = {
  people: "profiles",
  articles: "articles",
  "useful-links": "useful_links",
  "sample-code": "code_samples",
};

const SITEMAP = /^(people|articles|useful-links|sample-code)-([1-9]\d{0,4})\.xml$/;

export function createSitemaps(data: DataClient, url: (path: string) => string) {
  async function index(): Promise<string> {
    const others = await Promise.all(
      Object.entries(SITEMAPS).map(async ([name, table]) => {
        const { count, changedAt } = await countForSitemap(data, table);
        const pages = Math.ceil(count / (table === "profiles" ? SITEMAP_PEOPLE : SITEMAP_ROWS));
        return Array.from({ length: pages }, (_, page) => ({
          url: url(`/sitemaps/${name}-${page + 1}.xml`),
          changedAt,
        }));
      }),
    );
    const sitemaps = withNewest(url("/sitemaps/pages.xml"), others.flat());
    return writeSitemap(sitemaps, "sitemapindex", "sitemap");
  }

  async function pages(): Promise<string> {
    const lists = await Promise.all(
      Object.entries(LISTS).map(async ([table, { path }]) => {
        const { changedAt } = await countForSitemap(data, table as ContentTable);
        return { url: url(path), changedAt };
      }),
    );
    return writeSitemap(withNewest(url("/"), lists));
  }

  async function named(name: string): Promise<string | null> {
    const [, list = "", number] = SITEMAP.exec(name) ?? [];
    const table = SITEMAPS[list];
    if (!table) return null;
    const page = Number(number) - 1;
    const addresses = await (table === "profiles"
      ? peopleForSitemap(data, page)
      : itemsForSitemap(data, table, page));
    if (addresses.length === 0) return null;
    return writeSitemap(addresses.map(({ path, changedAt }) => ({ url: url(path), changedAt })));
  }

  return { index, pages, named };
}

/** Before the others an address that changes with each of them. */
function withNewest(url: string, others: SitemapEntry[]): SitemapEntry[] {
  const changes = others.map(({ changedAt }) => changedAt ?? "").sort();
  return [{ url, changedAt: changes.at(-1) }, ...others];
}
