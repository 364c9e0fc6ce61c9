import type { MetaDescriptor } from "react-router";
import type { Site } from "../site.ts";

interface PageAbout {
  path: string;
  /** The home page has no name but the site's. */
  name?: string;
  description: string;
}

/** The head of a page that search engines and previews read; nothing where the root loader failed. */
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
