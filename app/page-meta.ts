import type { MetaDescriptor } from "react-router";
import type { Site } from "./site.ts";

/**
 * Takes the site, the page's path, its name (empty on the home page) and description;
 * returns title, description, Open Graph and canonical address (contract, Names).
 */
export function pageMeta(site: Site, path: string, name: string, description: string): MetaDescriptor[] {
  const title = name ? `${name} · ${site.title}` : site.title;
  const url = `${site.url}${path}`;
  return [
    { title },
    { name: "description", content: description },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: site.title },
    { property: "og:url", content: url },
    { tagName: "link", rel: "canonical", href: url },
  ];
}

/** Takes the matches of a route's meta function, returns the site that the root loader gave, if it could. */
export function siteOf(
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[],
): Site | undefined {
  return matches.find((match) => match?.id === "root")?.loaderData as Site | undefined;
}
