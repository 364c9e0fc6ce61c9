import { itemPath, personPath } from "../data/addresses.ts";
import { authorName } from "../data/author.ts";
import type { Person } from "../data/people-reads.ts";
import type { Article, CodeSample, UsefulLink, Writer } from "../data/schema.ts";
import { LANGUAGES } from "../data/vocabulary.ts";
import type { Site } from "../site.ts";
import { safeAddress } from "../ui/address.ts";

/** A document of schema.org's vocabulary; fields without a value are left out. */
export type JsonLd = { "@type": string; [field: string]: string | string[] | JsonLd | undefined };

const CONTEXT = { "@context": "https://schema.org" };

const person = ({ url }: Site, writer: Writer): JsonLd => ({
  "@type": "Person",
  name: authorName(writer),
  url: url + personPath(writer.segment),
});

const website = ({ title, url }: Site): JsonLd => ({ "@type": "WebSite", name: title, url: `${url}/` });

type Item<Row> = { row: Row; writer: Writer; description: string };

export function articleJsonLd(
  site: Site,
  {
    row,
    writer,
    description,
    card,
  }: Item<Pick<Article, "id" | "title" | "created_at" | "updated_at">> & { card: string },
): JsonLd {
  const url = site.url + itemPath("articles", row.id);
  return {
    ...CONTEXT,
    "@type": "TechArticle",
    "@id": url,
    url,
    mainEntityOfPage: url,
    headline: row.title,
    description,
    image: site.url + card,
    datePublished: row.created_at,
    dateModified: row.updated_at ?? row.created_at,
    author: person(site, writer),
    isPartOf: website(site),
  };
}

export function linkJsonLd(site: Site, { row, writer, description }: Item<UsefulLink>): JsonLd {
  const url = site.url + itemPath("useful_links", row.id);
  const about = URL.parse(safeAddress(row.url), url);
  return {
    ...CONTEXT,
    "@type": "WebPage",
    "@id": url,
    url,
    name: row.title,
    description,
    keywords: row.category,
    datePublished: row.created_at,
    author: person(site, writer),
    about: about && row.url ? { "@type": "WebPage", name: row.title, url: about.href } : undefined,
    isPartOf: website(site),
  };
}

export function sampleJsonLd(
  site: Site,
  { row, writer, description }: Item<Omit<CodeSample, "code_content">>,
): JsonLd {
  const url = site.url + itemPath("code_samples", row.id);
  return {
    ...CONTEXT,
    "@type": "SoftwareSourceCode",
    "@id": url,
    url,
    mainEntityOfPage: url,
    name: row.title,
    description,
    programmingLanguage: LANGUAGES[row.language] ?? row.language,
    codeSampleType: "code snippet",
    datePublished: row.created_at,
    dateModified: row.updated_at ?? row.created_at,
    author: person(site, writer),
    isPartOf: website(site),
  };
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
