import type { MetaDescriptor } from "react-router";
import type { Site } from "./site.ts";

/** What a page tells of itself; the home page has no name but the site's. */
interface PageAbout {
  path: string;
  name?: string;
  description: string;
}

/**
 * Takes the matches that a route's meta function is given, and what the page is about; returns title, description,
 * Open Graph and canonical address (contract, Names), nothing when the root loader could not tell the site.
 */
export function pageMeta(
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[],
  { path, name, description }: PageAbout,
): MetaDescriptor[] {
  const site = matches.find((match) => match?.id === "root")?.loaderData as Site | undefined;
  if (!site) return [];
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
