import type { Profile } from "./schema.ts";

/** Returns e.g. "5+ years in data engineer" (specification §2, Home), or "" if the years are unknown. */
export function experience({
  years_experience,
  current_title,
}: Pick<Profile, "years_experience" | "current_title">): string {
  if (years_experience === null) return "";
  const years = `${years_experience}+ years`;
  return current_title ? `${years} in ${current_title.toLowerCase()}` : years;
}

export const years = (count: number) => `${count} ${count === 1 ? "year" : "years"}`;

export const position = ({ current_title, company }: Pick<Profile, "current_title" | "company">): string =>
  [current_title, company].filter(Boolean).join(" · ");
