import type { SkillCategory } from "../data/schema.ts";
import { SKILL_CATEGORIES } from "../data/vocabulary.ts";
import { parseDate } from "./dates.ts";
import { isId } from "./ids.ts";
import type { FileItem, FileProfile, FileSkill } from "./items.ts";

type Json = Record<string, unknown>;

/** Throws what is wrong with the text. */
export function parseRecord(text: string): Json {
  const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  if (!isRecord(value)) throw new Error("is no JSON object");
  return value;
}

/** Throws what is wrong with the text. */
export function parseRecords(text: string): unknown[] {
  const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  if (!Array.isArray(value)) throw new Error("is no JSON array");
  return value;
}

/** Null when it is no link. */
export function toLink(value: unknown, file: string): FileItem<"useful_links"> | null {
  if (!isRecord(value)) return null;
  const { title, url, category } = value;
  if (typeof title !== "string" || typeof url !== "string" || typeof category !== "string") return null;
  const fields = { title, url, description: textOrNull(value["description"]), category };
  return { table: "useful_links", ...common(value, file, `${file}:${url}`), fields };
}

/** Null when it is no entry of `sample-code.json`; the code is in a file of its own. */
export function toSample(value: unknown, file: string): FileItem<"code_samples"> | null {
  if (!isRecord(value)) return null;
  const { title, language, file: path } = value;
  if (typeof title !== "string" || typeof language !== "string" || typeof path !== "string") return null;
  const fields = { title, description: textOrNull(value["description"]), code_content: "", language };
  return { table: "code_samples", ...common(value, path, `${file}:${path}`), fields };
}

/** Null when it is no skill. */
export function toSkill(value: unknown): FileSkill | null {
  if (!isRecord(value)) return null;
  const { category, name, proficiency, years_experience } = value;
  const isSkill =
    typeof name === "string" &&
    Object.hasOwn(SKILL_CATEGORIES, String(category)) &&
    isInteger(proficiency, 1, 5) &&
    isInteger(years_experience, 0);
  if (!isSkill) return null;
  const { id, createdAt } = common(value, "", "");
  return { id, createdAt, category: category as SkillCategory, name, proficiency, years_experience };
}

/** What of a profile is of another kind than a profile's is left empty. */
export function toProfile(value: Json): FileProfile {
  const { years_experience: years, featured_skills: skills } = value;
  return {
    username: textOrNull(value["username"]),
    full_name: textOrNull(value["full_name"]),
    bio: textOrNull(value["bio"]),
    avatar_url: textOrNull(value["avatar_url"]),
    current_title: textOrNull(value["current_title"]),
    company: textOrNull(value["company"]),
    years_experience: isInteger(years, 0) ? years : null,
    featured: value["featured"] === true,
    linkedin_url: textOrNull(value["linkedin_url"]),
    featured_skills: Array.isArray(skills) ? skills.filter((skill) => typeof skill === "string") : [],
  };
}

function common({ id, created_at, updated_at }: Json, source: string, path: string) {
  return {
    source,
    path,
    id: typeof id === "string" && isId(id) ? id.toLowerCase() : null,
    createdAt: typeof created_at === "string" ? parseDate(created_at) : null,
    updatedAt: typeof updated_at === "string" ? parseDate(updated_at) : null,
    notes: [],
  };
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isInteger(value: unknown, min: number, max = 2 ** 31 - 1): value is number {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
