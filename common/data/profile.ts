import type { DataClient } from "./client.ts";
import { rowsOf } from "./reader.ts";
import type { NewRow, Profile, Skill } from "./schema.ts";

export type SkillFields = Pick<Skill, "category" | "name" | "proficiency" | "years_experience">;

export async function readProfile(client: DataClient, id: string): Promise<Profile | null> {
  return rowsOf(await client.from("profiles").select("*").eq("id", id))[0] ?? null;
}

/** Returns the skills sorted by category (specification §7, call 10), and within a category by creation date. */
export async function readSkills(client: DataClient, profileId: string): Promise<Skill[]> {
  const skills = client.from("skills").select("*").eq("profile_id", profileId);
  return rowsOf(await skills.order("category", { ascending: true }).order("created_at").order("id"));
}

/** Throws if the write failed, like the other writes below. */
export async function saveProfile(client: DataClient, profile: NewRow<"profiles">): Promise<void> {
  await client.from("profiles").upsert(profile).throwOnError();
}

/** Adds a skill. If the client has chosen its id, repeating the request after a lost response adds it only once. */
export async function addSkill(
  client: DataClient,
  profileId: string,
  skill: SkillFields & { id?: string },
): Promise<void> {
  const row = { profile_id: profileId, ...skill };
  await client.from("skills").upsert(row).throwOnError();
}

export async function updateSkill(client: DataClient, id: string, skill: SkillFields): Promise<void> {
  const update = client.from("skills").update(skill, { count: "exact" });
  const { count } = await update.eq("id", id).throwOnError();
  if (count === 0) throw new Error("The skill was deleted elsewhere");
}
