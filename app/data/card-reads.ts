import { rowsOf } from "./answer.ts";
import type { DataClient } from "./client.ts";
import type { Article, Authored, Profile, Skill } from "./schema.ts";

export async function articleForCard(
  client: DataClient,
  id: string,
): Promise<Authored<Pick<Article, "title">> | null> {
  const rows = client.from("articles").select("title,profiles(username,full_name)").eq("id", id);
  const answer = await rows.filter("published", "eq", true);
  return (rowsOf(answer as never)[0] as Authored<Pick<Article, "title">> | undefined) ?? null;
}

export type CardPerson = Pick<
  Profile,
  "username" | "full_name" | "current_title" | "company" | "years_experience"
> & { skills: Pick<Skill, "name">[] };

export async function personForCard(
  client: DataClient,
  id: string,
  skills: number,
): Promise<CardPerson | null> {
  const answer = await client
    .from("profiles")
    .select("username,full_name,current_title,company,years_experience,skills(name)")
    .eq("id", id)
    .order("proficiency", { referencedTable: "skills", ascending: false })
    .limit(skills, { referencedTable: "skills" });
  return (rowsOf(answer as never)[0] as CardPerson | undefined) ?? null;
}
