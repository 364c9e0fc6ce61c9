import { newest } from "../data/content-reads.ts";
import { findPerson, type Person, skillsByProficiency } from "../data/people-reads.ts";
import type { SkillFields } from "../data/profile.ts";
import type { Article, CodeSample, UsefulLink } from "../data/schema.ts";
import type { PageContext } from "../site.ts";

/** So many of a person's items of a kind stand on their page; their lists hold them all. */
const NEWEST = 10;

/** What a person's page shows, and no more than that travels to the browser. */
export interface PersonData {
  person: Person;
  skills: SkillFields[];
  articles: Pick<Article, "id" | "title" | "created_at">[];
  links: Pick<UsefulLink, "id" | "title" | "category">[];
  samples: Pick<CodeSample, "id" | "title" | "language">[];
}

/** Null for somebody unknown. Throws ReadError. */
export async function loadPerson(nameOrId: string, { data }: PageContext): Promise<PersonData | null> {
  const person = await findPerson(data, nameOrId);
  if (!person) return null;
  const own = { ownerId: person.id, limit: NEWEST };
  const [skills, articles, links, samples] = await Promise.all([
    skillsByProficiency(data, person.id),
    newest<Article>(data, "articles", { columns: "id,title,created_at", ...own }),
    newest<UsefulLink>(data, "useful_links", { columns: "id,title,category", ...own }),
    newest<CodeSample>(data, "code_samples", { columns: "id,title,language", ...own }),
  ]);
  return { person, skills, articles, links, samples };
}
