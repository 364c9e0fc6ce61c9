import { itemPath, personPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import type { Person } from "../../common/data/people-reads.ts";
import type { Authored, ContentRow, LinkedAuthor } from "../../common/data/schema.ts";
import type { JsonLd, KindDefinition } from "../../common/kinds/kind-definition.ts";
import type { Site } from "../../common/page-services.ts";
import { safeAddress } from "../../common/safe-address.ts";

const CONTEXT = { "@context": "https://schema.org" };

const author = ({ url }: Site, person: LinkedAuthor): JsonLd => ({
  "@type": "Person",
  name: authorName(person),
  url: url + personPath(person.slug),
});

const website = ({ title, url }: Site): JsonLd => ({ "@type": "WebSite", name: title, url: `${url}/` });

interface ItemFacts {
  item: Authored<ContentRow & { updated_at?: string | null }, LinkedAuthor>;
  description: string;
  /** The path of the item's picture for search engines and social networks. */
  picture: string;
}

export function itemJsonLd(
  site: Site,
  kind: KindDefinition,
  { item, description, picture }: ItemFacts,
): JsonLd {
  const url = site.url + itemPath(kind, item);
  const dated = kind.hasUpdatedAt && {
    mainEntityOfPage: url,
    dateModified: item.updated_at ?? item.created_at,
  };
  return {
    ...CONTEXT,
    ...kind.jsonLd(item, { image: site.url + picture, absolute: (address) => absolute(address, url) }),
    ...dated,
    "@id": url,
    url,
    description,
    datePublished: item.created_at,
    author: author(site, item.profiles),
    isPartOf: website(site),
  };
}

const absolute = (address: string | null, base: string) =>
  (address && safeAddress(address) && URL.parse(address, base)?.href) || undefined;

export function personJsonLd(site: Site, person: Person, skills: string[]): JsonLd {
  const url = site.url + personPath(person.slug);
  return {
    ...CONTEXT,
    "@type": "ProfilePage",
    "@id": url,
    url,
    dateModified: person.updated_at ?? undefined,
    mainEntity: {
      "@type": "Person",
      name: authorName(person),
      url,
      alternateName: person.username || undefined,
      description: person.bio || undefined,
      image: absolute(person.avatar_url, url),
      jobTitle: person.current_title || undefined,
      worksFor: person.company ? { "@type": "Organization", name: person.company } : undefined,
      sameAs: absolute(person.linkedin_url, url),
      knowsAbout: skills.length > 0 ? skills : undefined,
    },
    isPartOf: website(site),
  };
}
