import { authorName, type Writer } from "../data/author.ts";
import { featuredProfiles, latestArticles, latestLinks, latestSamples } from "../data/home-reads.ts";
import { findSegments } from "../data/people-reads.ts";
import type { Profile, Skill } from "../data/schema.ts";
import type { PageContext } from "../site.ts";
import { excerpt } from "./excerpt.ts";

/** What the home page says of a featured profile. */
export interface Professional
  extends Pick<
    Profile,
    "id" | "avatar_url" | "linkedin_url" | "current_title" | "company" | "years_experience" | "bio"
  > {
  name: string;
  /** The last segment of their address. */
  segment: string;
  skills: Pick<Skill, "category" | "name" | "proficiency">[];
}

/** What the home page shows, and no more than that travels to the browser. */
export interface HomeData {
  professionals: Professional[];
  articles: { id: string; title: string; writer: Writer; createdAt: string; excerpt: string }[];
  links: { id: string; title: string; category: string }[];
  samples: { id: string; title: string; language: string }[];
}

/** Specification §7, calls 4 to 8. A read that fails leaves its panel empty and is logged (§8). */
export async function loadHome({ data, logFailure }: PageContext): Promise<HomeData> {
  const quietly = <Row>(name: string, read: Promise<Row[]>): Promise<Row[]> =>
    read.catch((error: unknown) => {
      logFailure(`home.${name}`, error);
      return [];
    });
  const [professionals, articles, links, samples] = await Promise.all([
    quietly("professionals", featuredProfiles(data)),
    quietly("articles", latestArticles(data)),
    quietly("links", latestLinks(data)),
    quietly("samples", latestSamples(data)),
  ]);
  const people = [
    ...professionals,
    ...articles.map(({ author_id, profiles }) => ({ id: author_id, username: profiles?.username ?? null })),
  ];
  // Everybody's page is found by their id as well.
  const segments = await findSegments(data, people).catch(() => new Map<string, string>());
  const segmentOf = (id: string) => segments.get(id) ?? id;
  return {
    professionals: professionals.map((profile) => ({
      id: profile.id,
      name: authorName(profile),
      segment: segmentOf(profile.id),
      avatar_url: profile.avatar_url,
      linkedin_url: profile.linkedin_url,
      current_title: profile.current_title,
      company: profile.company,
      years_experience: profile.years_experience,
      bio: profile.bio,
      skills: profile.skills.map(({ category, name, proficiency }) => ({ category, name, proficiency })),
    })),
    articles: articles.map(({ id, title, content, author_id, profiles, created_at }) => ({
      id,
      title,
      writer: { name: authorName(profiles), segment: segmentOf(author_id) },
      createdAt: created_at,
      excerpt: excerpt(content),
    })),
    links: links.map(({ id, title, category }) => ({ id, title, category })),
    samples: samples.map(({ id, title, language }) => ({ id, title, language })),
  };
}
