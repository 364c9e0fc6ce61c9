import { itemPath, personPath } from "../data/addresses.ts";
import { authorName } from "../data/author.ts";
import type { ContentRow, ContentTable } from "../data/content-reads.ts";
import type { Person } from "../data/people-reads.ts";
import type { Authored, Writer } from "../data/schema.ts";
import { LANGUAGES } from "../data/vocabulary.ts";
import type { Site } from "../site.ts";
import { safeAddress } from "../ui/address.ts";

/** A document of schema.org's vocabulary; fields without a value are left out. */
export type JsonLd = { "@type": string; [field: string]: string | string[] | JsonLd | undefined };

const CONTEXT = { "@context": "https://schema.org" };

const author = ({ url }: Site, person: Writer): JsonLd => ({
  "@type": "Person",
  name: authorName(person),
  url: url + personPath(person.segment),
});

const website = ({ title, url }: Site): JsonLd => ({ "@type": "WebSite", name: title, url: `${url}/` });

interface ItemFacts {
  item: Authored<ContentRow, Writer>;
  description: string;
  card: string;
}

export function itemJsonLd(site: Site, table: ContentTable, { item, description, card }: ItemFacts): JsonLd {
  const url = site.url + itemPath(table, item.id);
  const dated = "updated_at" in item && {
    mainEntityOfPage: url,
    dateModified: item.updated_at ?? item.created_at,
  };
  return {
    ...CONTEXT,
    ...ownFields(site, item, url, card),
    ...dated,
    "@id": url,
    url,
    description,
    datePublished: item.created_at,
    author: author(site, item.profiles),
    isPartOf: website(site),
  };
}

function ownFields(site: Site, item: ContentRow, page: string, card: string): JsonLd {
  if ("published" in item) return { "@type": "TechArticle", headline: item.title, image: site.url + card };
  if ("language" in item) {
    const programmingLanguage = LANGUAGES[item.language] ?? item.language;
    return {
      "@type": "SoftwareSourceCode",
      name: item.title,
      codeSampleType: "code snippet",
      programmingLanguage,
    };
  }
  const url = item.url && URL.parse(safeAddress(item.url), page)?.href;
  const about = url ? { "@type": "WebPage", name: item.title, url } : undefined;
  return { "@type": "WebPage", name: item.title, keywords: item.category, about };
}

export function personJsonLd(site: Site, person: Person, skills: string[]): JsonLd {
  const url = site.url + personPath(person.segment);
  const absolute = (address: string | null) =>
    (address && safeAddress(address) && URL.parse(address, url)?.href) || undefined;
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
      image: absolute(person.avatar_url),
      jobTitle: person.current_title || undefined,
      worksFor: person.company ? { "@type": "Organization", name: person.company } : undefined,
      sameAs: absolute(person.linkedin_url),
      knowsAbout: skills.length > 0 ? skills : undefined,
    },
    isPartOf: website(site),
  };
}
