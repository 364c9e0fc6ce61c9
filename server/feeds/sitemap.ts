import { XML_DECLARATION, xmlText } from "./xml.ts";

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

export interface SitemapEntry {
  url: string;
  changedAt?: string | null;
}

/** sitemaps.org, "Sitemap XML format". */
export function writeSitemap(entries: SitemapEntry[]): string {
  const urls = entries.map(({ url, changedAt }) => {
    const changed = changedAt ? `<lastmod>${xmlText(changedAt)}</lastmod>` : "";
    return `<url><loc>${xmlText(url)}</loc>${changed}</url>\n`;
  });
  return `${XML_DECLARATION}<urlset xmlns="${NAMESPACE}">\n${urls.join("")}</urlset>\n`;
}

export function writeSitemapIndex(urls: string[]): string {
  const sitemaps = urls.map((url) => `<sitemap><loc>${xmlText(url)}</loc></sitemap>\n`);
  return `${XML_DECLARATION}<sitemapindex xmlns="${NAMESPACE}">\n${sitemaps.join("")}</sitemapindex>\n`;
}

export function writeRobots(siteUrl: string): string {
  return `User-agent: *
Disallow: /auth/
Disallow: /rest/
Allow: /

Sitemap: ${siteUrl}/sitemap.xml
`;
}
