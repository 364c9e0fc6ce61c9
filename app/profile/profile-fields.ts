import type { Profile } from "../../common/data/schema.ts";

export const EMPTY_PROFILE = {
  username: "",
  full_name: "",
  bio: "",
  avatar_url: "",
  current_title: "",
  company: "",
  years_experience: "",
  linkedin_url: "",
  featured_skills: "",
  featured: false,
};

export type ProfileFields = typeof EMPTY_PROFILE;
type ProfileRow = Pick<Profile, keyof ProfileFields>;

export function toFields(profile: ProfileRow): ProfileFields {
  const names = Object.keys(EMPTY_PROFILE) as (keyof ProfileFields)[];
  return Object.fromEntries(names.map((name) => [name, toFieldValue(profile[name])])) as ProfileFields;
}

function toFieldValue(value: ProfileRow[keyof ProfileFields]): string | boolean {
  if (typeof value === "boolean") return value;
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}

/** Returns the row to save (specification §7, call 11). Invalid years become null. Blank skills are dropped. */
export function toProfile(
  id: string,
  fields: ProfileFields,
  now: Date,
): ProfileRow & Pick<Profile, "id" | "updated_at"> {
  const years = Number.parseInt(fields.years_experience, 10);
  return {
    ...fields,
    // Phones add a blank after a word, which would make the username unusable as an address.
    username: fields.username.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, ""),
    id,
    years_experience: Number.isNaN(years) ? null : years,
    featured_skills: fields.featured_skills
      .split(",")
      .map((skill) => skill.trim())
      .filter(Boolean),
    updated_at: now.toISOString(),
  };
}
