import { authorName, type Writer } from "../data/author.ts";
import {
  type ArticleEntry,
  articlesBy,
  findPerson,
  type LinkEntry,
  linksBy,
  type PublicProfile,
  type SampleEntry,
  samplesBy,
  skillsByProficiency,
} from "../data/people-reads.ts";
import type { Skill } from "../data/schema.ts";
import type { PageContext } from "../site.ts";

/** So many of a person's items of a kind stand on their page; their lists hold them all. */
const NEWEST = 10;

/** What a person's page shows, and no more than that travels to the browser. */
export interface PersonData {
  writer: Writer;
  /** What finds their items in the lists; empty without a name. */
  author: string;
  profile: PublicProfile;
  skills: Pick<Skill, "category" | "name" | "proficiency" | "years_experience">[];
  articles: ArticleEntry[];
  links: LinkEntry[];
  samples: SampleEntry[];
}

/** Null for somebody unknown. Throws ReadError. */
export async function loadPerson(nameOrId: string, { data }: PageContext): Promise<PersonData | null> {
  const found = await findPerson(data, nameOrId);
  if (!found) return null;
  const { person, segment } = found;
  const [skills, articles, links, samples] = await Promise.all([
    skillsByProficiency(data, person.id),
    articlesBy(data, person.id, NEWEST),
    linksBy(data, person.id, NEWEST),
    samplesBy(data, person.id, NEWEST),
  ]);
  return {
    writer: { name: authorName(person), segment },
    author: person.full_name || person.username || "",
    profile: {
      id: person.id,
      username: person.username,
      bio: person.bio,
      avatar_url: person.avatar_url,
      linkedin_url: person.linkedin_url,
      current_title: person.current_title,
      company: person.company,
      years_experience: person.years_experience,
      featured_skills: person.featured_skills,
      updated_at: person.updated_at,
    },
    skills: skills.map(({ category, name, proficiency, years_experience }) => ({
      category,
      name,
      proficiency,
      years_experience,
    })),
    articles,
    links,
    samples,
  };
}
