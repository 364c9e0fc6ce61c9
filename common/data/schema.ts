export interface Profile {
  id: string;
  username: string | null;
  full_name: string | null;
  bio: string | null;
  avatar_url: string | null;
  current_title: string | null;
  company: string | null;
  years_experience: number | null;
  featured: boolean;
  linkedin_url: string | null;
  featured_skills: string[] | null;
  updated_at: string | null;
}

export type SkillCategory = "python" | "sql" | "aws" | "tools";

export interface Skill {
  id: string;
  profile_id: string;
  category: SkillCategory;
  name: string;
  proficiency: number;
  years_experience: number;
}

/** The columns that every kind of content has. A kind's definition adds its own. */
export interface ContentRow {
  id: string;
  title: string;
  created_at: string;
}

/** A row of any table, with all its columns. */
export type StoredRow = { id: string } & Record<string, unknown>;

export type Author = Pick<Profile, "username" | "full_name">;

/** An author with the slug of their page: their username or their id. */
export type Writer = Author & { slug: string };

export type Authored<Row, By extends Author = Author> = Row & { profiles: By };
