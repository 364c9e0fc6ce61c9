import assert from "node:assert/strict";
import { createClient } from "@supabase/supabase-js";
import { createAuthenticator, registerPasskey } from "../support/authenticator.ts";
import type { Community, Member } from "../support/members.ts";
import type { RunningServer } from "../support/server.ts";
import type { ScreenReader } from "./screen-reader.ts";

export type Site = RunningServer & Community;

export interface Journey {
  title: string;
  /** The zoom factor of the page, 1 by default. */
  zoom?: number;
  run(reader: ScreenReader, site: Site): Promise<void>;
}

export async function addArticles(site: Site): Promise<void> {
  const { id } = await site.addMember({ username: "ada", full_name: "Ada Marlowe" });
  for (const title of ["Window functions", "Indexes"])
    await site.add("articles", { author_id: id, title, content: "Some text", published: true });
}

export async function signIn(reader: ScreenReader, site: Site): Promise<Member> {
  const member = await site.addMember({ username: "grace", full_name: "Grace Hale" });
  await reader.open(`${site.url}/profile`, "Profile");
  await fillInSignIn(reader, member);
  const heard = await reader.hears("You are signed in.", "Profile heading level 1");
  hearsOnce(heard, "You are signed in.");
  return member;
}

export async function signInAsOperator(reader: ScreenReader, site: Site): Promise<Member> {
  const member = await site.addMember({ username: "grace", full_name: "Grace Hale" });
  await site.admin.auth.admin.updateUserById(member.id, { app_metadata: { role: "operator" } });
  await reader.open(`${site.url}/admin`, "Operators");
  await fillInSignIn(reader, member);
  hearsOnce(await reader.hears("You are signed in.", "Operators heading level 1"), "You are signed in.");
  return member;
}

async function fillInSignIn(reader: ScreenReader, { email, password }: Member): Promise<void> {
  await reader.find("Email address entry");
  await reader.type(email);
  await reader.find("Password");
  await reader.type(password);
  await reader.press("Return");
}

/** Returns the articles as the member may write them: the database keeps versions only of what members write. */
export async function articlesOf(site: Site, member: Member) {
  const { access_token } = await site.openSession(member);
  return createClient(site.url, site.keys.anonKey, { accessToken: async () => access_token }).from(
    "articles",
  );
}

/** Adds a passkey to the member's account. */
export async function addPasskey(site: Site, { email, password }: Member): Promise<void> {
  const auth = { persistSession: false, autoRefreshToken: false };
  const client = createClient(site.url, site.keys.anonKey, { auth });
  await client.auth.signInWithPassword({ email, password });
  const { error } = await registerPasskey(client, createAuthenticator(site.url));
  if (error) throw error;
}

/** Creates an article by the form. */
export async function save(reader: ScreenReader, site: Site, title: string): Promise<void> {
  await reader.open(`${site.url}/articles`, "Articles");
  if (reader.zoom > 1) {
    // The form is folded, as on a phone.
    await reader.find("Open Form");
    await reader.press("Return");
    await reader.hears("Title entry");
  } else await reader.find("Title entry");
  await reader.type(title);
  await reader.find("Content (Markdown)");
  await reader.type("Some text");
  await reader.find("Create Article");
  await reader.press("Return");
  hearsOnce(await reader.hears(`Saved ${title}`), `Saved ${title}`);
}

/** Chooses a file in the open file dialog, which shows the home folder. */
export async function chooseFile(reader: ScreenReader, name: string): Promise<void> {
  await reader.hears("table");
  await reader.find(name, "Down");
  await reader.press("Return");
}

export function hearsOnce(heard: string[], text: string): void {
  assert.equal(heard.filter((utterance) => utterance.includes(text)).length, 1, heard.join(" | "));
}

export function hearsNot(heard: string[], text: string): void {
  assert.ok(!heard.some((utterance) => utterance.includes(text)), heard.join(" | "));
}
