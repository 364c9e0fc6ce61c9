import { itemPath, personPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import { years } from "../../common/data/experience.ts";
import type { ContentRow } from "../../common/data/schema.ts";
import { SKILL_CATEGORIES } from "../../common/data/vocabulary.ts";
import { absoluteUrl, type Portfolio } from "./portfolio.ts";

/** Returns the date of an ISO 8601 timestamp, or undefined if JSON Resume doesn't allow its year. */
const dateOf = (time: string) => /^[12]\d{3}-\d\d-\d\d/.exec(time)?.[0];

/** Writes a JSON Resume 1.0.0 (https://jsonresume.org/schema). Omits missing texts, but keeps empty lists. */
export function writeJsonResume(portfolio: Portfolio, siteTitle: string, siteUrl: string): string {
  const { person, skills } = portfolio;
  const url = siteUrl + personPath(person.slug);
  const linkedIn = absoluteUrl(person.linkedin_url, url);
  const featured = person.featured_skills?.filter(Boolean) ?? [];
  const entriesOf = (section: "publications" | "projects") =>
    portfolio.items.flatMap(({ kind, rows }) =>
      kind.resume?.section === section
        ? rows.map((row) => kind.resume?.entry(row, factsOf(siteUrl + itemPath(kind, row), row)))
        : [],
    );
  const factsOf = (url: string, { created_at }: ContentRow) => ({
    url,
    createdOn: dateOf(created_at),
    siteTitle,
  });
  const resume = {
    $schema: "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json",
    basics: {
      name: authorName(person),
      label: person.current_title || undefined,
      image: absoluteUrl(person.avatar_url, url),
      url,
      summary: person.bio || undefined,
      profiles: [
        { network: siteTitle, username: person.username || undefined, url },
        ...(linkedIn ? [{ network: "LinkedIn", url: linkedIn }] : []),
      ],
    },
    work: person.company ? [{ name: person.company, position: person.current_title || undefined }] : [],
    skills: [
      ...(featured.length > 0 ? [{ name: "Featured skills", keywords: featured }] : []),
      ...skills.map(({ category, name, proficiency, years_experience }) => ({
        name,
        level: `${proficiency}/5, ${years(years_experience)}`,
        keywords: [SKILL_CATEGORIES[category] ?? category],
      })),
    ],
    publications: entriesOf("publications"),
    projects: entriesOf("projects"),
    meta: {
      canonical: `${url}.json`,
      version: "v1.0.0",
      lastModified: person.updated_at?.slice(0, "YYYY-MM-DDThh:mm:ss".length),
    },
  };
  return `${JSON.stringify(resume, null, 2)}\n`;
}
