import type { MetaDescriptor } from "react-router";
import { KINDS } from "../../common/kinds/index.ts";
import type { JsonLd } from "../../common/kinds/kind-definition.ts";
import type { Site } from "../../common/page-services.ts";
import type { SocialPicture } from "../pictures/social-picture.ts";

interface Alternate {
  path: string;
  title: string;
  /** The media type, e.g. "application/atom+xml". */
  type: string;
}

/** A page's metadata. The home page has no `name`, because its title is the site's. */
export interface PageMetadata {
  path: string;
  name?: string;
  description: string;
  type?: "website" | "article" | "profile";
  /** The picture that social networks show. By default, it is the site's social card. */
  picture?: SocialPicture;
  robots?: "noindex" | "noindex, follow" | undefined;
  /** Other formats of the page's content, for `<link rel="alternate">`. */
  alternates?: Alternate[];
  jsonLd?: JsonLd;
}

/** Describes the social card that the server generates at `path` (server/feeds/cards). */
export const socialCard = (path: string): SocialPicture => ({ path, width: 1_200, height: 630 });

export const SITE_CARD = socialCard("/cards/site.png");

const ATOM = "application/atom+xml";

/** The feeds of the site if `path` is empty, otherwise of the person with the page at `path`. */
export const feeds = (path: string, title: (name: string) => string): Alternate[] =>
  KINDS.flatMap(({ name, feed }) => (feed ? [{ path: path + feed, title: title(name), type: ATOM }] : []));

export function pageMeta(
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[],
  {
    path,
    name,
    description,
    type = "website",
    picture = SITE_CARD,
    robots,
    alternates = [],
    jsonLd,
  }: PageMetadata,
): MetaDescriptor[] {
  const site = matches.find((match) => match?.id === "root")?.loaderData as Site | undefined;
  if (!site) return [];
  const title = name ? `${name} · ${site.title}` : site.title;
  const url = `${site.url}${path}`;
  return [
    { title },
    { name: "description", content: description },
    ...(robots ? [{ name: "robots", content: robots }] : []),
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:type", content: type },
    { property: "og:site_name", content: site.title },
    { property: "og:url", content: url },
    { property: "og:image", content: `${site.url}${picture.path}` },
    { property: "og:image:width", content: String(picture.width) },
    { property: "og:image:height", content: String(picture.height) },
    { property: "og:image:alt", content: title },
    { name: "twitter:card", content: "summary_large_image" },
    { tagName: "link", rel: "canonical", href: url },
    ...[...alternates, ...feeds("", (name) => `${name} · ${site.title}`)].map(({ path, ...rest }) => ({
      tagName: "link",
      rel: "alternate",
      ...rest,
      href: site.url + path,
    })),
    ...(jsonLd ? [{ "script:ld+json": jsonLd }] : []),
  ];
}

/** Tells search engines to follow the links of a list's later pages, but not to index the pages themselves. */
export const listRobots = (search: string): PageMetadata["robots"] =>
  /[?&](after|around|pages)=/.test(search) ? "noindex, follow" : undefined;
