import type { Column } from "./columns.ts";
import { MAX_CHARACTERS, MAX_YEARS_EXPERIENCE } from "./limits.ts";
import type { SkillFields } from "./profile.ts";
import type { Profile } from "./schema.ts";
import { SKILL_CATEGORIES } from "./vocabulary.ts";

const years = { type: "number", noun: "years of experience", min: 0, max: MAX_YEARS_EXPERIENCE } as const;

/** The columns of a profile that its owner fills in. Unlike those of an item, texts may be blank instead of null. */
export const PROFILE_COLUMNS = {
  username: { type: "text", noun: "username", maxLength: MAX_CHARACTERS.name },
  full_name: { type: "text", noun: "full name", maxLength: MAX_CHARACTERS.name },
  bio: { type: "text", noun: "bio", maxLength: MAX_CHARACTERS.description },
  avatar_url: { type: "address", noun: "avatar URL" },
  current_title: { type: "text", noun: "current title", maxLength: MAX_CHARACTERS.name },
  company: { type: "text", noun: "company", maxLength: MAX_CHARACTERS.name },
  years_experience: years,
  featured: { type: "flag", noun: "featured state" },
  linkedin_url: { type: "address", noun: "LinkedIn URL" },
  featured_skills: { type: "list", noun: "featured skills", maxLength: MAX_CHARACTERS.description },
} satisfies Partial<Record<keyof Profile, Column>>;

export const SKILL_COLUMNS = {
  category: { type: "choice", noun: "category", isRequired: true, options: SKILL_CATEGORIES },
  name: { type: "text", noun: "name", maxLength: MAX_CHARACTERS.skillName },
  proficiency: { type: "number", noun: "proficiency", isRequired: true, min: 1, max: 5 },
  years_experience: { ...years, isRequired: true },
} satisfies Record<keyof SkillFields, Column>;
