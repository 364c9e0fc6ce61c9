import type { Profile } from "../data/schema.ts";

export interface ProfileFields {
  username: string;
  full_name: string;
  bio: string;
  avatar_url: string;
  current_title: string;
  company: string;
  years_experience: string;
  linkedin_url: string;
  featured_skills: string;
  featured: boolean;
}

export const EMPTY_PROFILE: ProfileFields = {
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

export function toFields(profile: Profile): ProfileFields {
  return {
    username: profile.username ?? "",
    full_name: profile.full_name ?? "",
    bio: profile.bio ?? "",
    avatar_url: profile.avatar_url ?? "",
    current_title: profile.current_title ?? "",
    company: profile.company ?? "",
    years_experience: profile.years_experience?.toString() ?? "",
    linkedin_url: profile.linkedin_url ?? "",
    featured_skills: profile.featured_skills?.join(", ") ?? "",
    featured: profile.featured,
  };
}

/** Specification §7, call 11. Years that are no number become null; empty featured skills are left out. */
export function toProfile(id: string, fields: ProfileFields, now: Date): Profile {
  const years = Number.parseInt(fields.years_experience, 10);
  return {
    ...fields,
    id,
    years_experience: Number.isNaN(years) ? null : years,
    featured_skills: fields.featured_skills
      .split(",")
      .map((skill) => skill.trim())
      .filter(Boolean),
    updated_at: now.toISOString(),
  };
}
