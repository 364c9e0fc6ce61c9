import { XML_DECLARATION, xmlText } from "./xml.ts";

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

export interface SitemapEntry {
  url: string;
  changedAt?: string | null | undefined;
}

/** sitemaps.org, "Sitemap XML format". */
export const writeSitemap = (entries: SitemapEntry[]): string => write("urlset", "url", entries);

export const writeSitemapIndex = (entries: SitemapEntry[]): string =>
  write("sitemapindex", "sitemap", entries);

function write(root: string, name: string, entries: SitemapEntry[]): string {
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
