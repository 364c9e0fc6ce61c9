import { LRUCache } from "lru-cache";
import {
  countForSitemap,
  countPeopleForSitemap,
  itemsForSitemap,
  peopleForSitemap,
  SITEMAP_PEOPLE,
  SITEMAP_ROWS,
} from "../../common/data/feed-reads.ts";
import type { DataReader } from "../../common/data/reader.ts";
import { KINDS, kindSlug } from "../../common/kinds/index.ts";
import { escapeXml, XML_DECLARATION } from "../xml.ts";

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

export interface SitemapEntry {
  url: string;
  changedAt?: string | null | undefined;
}

/** Writes a sitemap or a sitemap index (https://www.sitemaps.org/protocol.html). */
export function writeSitemap(entries: SitemapEntry[], root = "urlset", name = "url"): string {
  const written = entries.map(({ url, changedAt }) => {
    const changed = changedAt ? `<lastmod>${escapeXml(changedAt)}</lastmod>` : "";
    return `<${name}><loc>${escapeXml(url)}</loc>${changed}</${name}>\n`;
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

const PEOPLE = "people";
const SITEMAP = /^([a-z-]+)-([1-9]\d{0,4})\.xml$/;

/** Counting a million items takes 0.4 s of CPU time, so greater counts than this one are kept for an hour. */
const MANY = 100_000;
const KEEP_MS = 3_600_000;

type Count = Awaited<ReturnType<typeof countForSitemap>>;

export function createSitemaps(data: DataReader, url: (path: string) => string) {
  const kept = new LRUCache<string, Count>({ max: KINDS.length + 1, ttl: KEEP_MS });

  async function countOf(kind: (typeof KINDS)[number] | undefined): Promise<Count> {
    const name = kind?.table ?? PEOPLE;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const counted = await (kind ? countForSitemap(data, kind) : countPeopleForSitemap(data));
    if (counted.count > MANY) kept.set(name, counted);
    return counted;
  }

  async function index(): Promise<string> {
    const others = await Promise.all(
      [undefined, ...KINDS].map(async (kind) => {
        const { count, changedAt } = await countOf(kind);
        const pages = Math.ceil(count / (kind ? SITEMAP_ROWS : SITEMAP_PEOPLE));
        const name = kind ? kindSlug(kind) : PEOPLE;
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
    const lists = await Promise.all([
      ...KINDS.map(async (kind) => {
        const { changedAt } = await countOf(kind);
        return { url: url(kind.path), changedAt };
      }),
      countOf(undefined).then(({ changedAt }) => ({ url: url("/people"), changedAt })),
      { url: url("/search") },
    ]);
    return writeSitemap(withNewest(url("/"), lists));
  }

  async function named(name: string): Promise<string | null> {
    const [, list = "", number] = SITEMAP.exec(name) ?? [];
    const kind = KINDS.find((candidate) => kindSlug(candidate) === list);
    if (!kind && list !== PEOPLE) return null;
    const page = Number(number) - 1;
    const addresses = await (kind ? itemsForSitemap(data, kind, page) : peopleForSitemap(data, page));
    if (addresses.length === 0) return null;
    return writeSitemap(addresses.map(({ path, changedAt }) => ({ url: url(path), changedAt })));
  }

  return { index, pages, named };
}

/** Prepends the URL of an overview of the others. It counts as changed whenever one of the others changes. */
function withNewest(url: string, others: SitemapEntry[]): SitemapEntry[] {
  const changes = others.map(({ changedAt }) => changedAt ?? "").sort();
  return [{ url, changedAt: changes.at(-1) }, ...others];
}
