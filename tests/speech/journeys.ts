import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "@supabase/supabase-js";
import { addManyItems } from "../support/many-items.ts";
import type { Community, Member } from "../support/members.ts";
import { makePng } from "../support/pictures.ts";
import type { RunningServer } from "../support/server.ts";
import type { ScreenReader } from "./screen-reader.ts";

type Site = RunningServer & Community;

export interface Journey {
  title: string;
  /** The zoom factor of the page, 1 by default. */
  zoom?: number;
  run(reader: ScreenReader, site: Site): Promise<void>;
}

async function addArticles(site: Site): Promise<void> {
  const { id } = await site.addMember({ username: "ada", full_name: "Ada Marlowe" });
  for (const title of ["Window functions", "Indexes"])
    await site.add("articles", { author_id: id, title, content: "Some text", published: true });
}

async function signIn(reader: ScreenReader, site: Site): Promise<Member> {
  const member = await site.addMember({ username: "grace", full_name: "Grace Hale" });
  await reader.open(`${site.url}/profile`, "Profile");
  await fillInSignIn(reader, member);
  const heard = await reader.hears("You are signed in.", "Profile heading level 1");
  hearsOnce(heard, "You are signed in.");
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
async function articlesOf(site: Site, member: Member) {
  const { access_token } = await site.openSession(member);
  return createClient(site.url, site.keys.anonKey, { accessToken: async () => access_token }).from(
    "articles",
  );
}

/** Creates an article by the form. */
async function save(reader: ScreenReader, site: Site, title: string): Promise<void> {
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

async function temporaryFolder(files: Record<string, string | Uint8Array>) {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-speech-files-"));
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** Types the path of a file into the open file dialog. */
async function chooseFile(reader: ScreenReader, file: string): Promise<void> {
  await reader.hears("table");
  await reader.type(file);
  await reader.press("Return");
}

function hearsOnce(heard: string[], text: string): void {
  assert.equal(heard.filter((utterance) => utterance.includes(text)).length, 1, heard.join(" | "));
}

const ORIGINS = [
  { from: "a list", path: "/articles", page: "Articles", title: "Articles · Techfolio.pro" },
  { from: "the home page", path: "/", page: "Techfolio.pro", title: "Techfolio.pro" },
  {
    from: "a person's page",
    path: "/profile/ada",
    page: "Ada Marlowe",
    title: "Ada Marlowe · Techfolio.pro",
  },
  {
    from: "a search",
    path: "/search?q=window",
    page: "Search",
    title: "Search · Techfolio.pro",
    // The title begins with the searched word, which is marked.
    position: "Window",
  },
];

const AT_ANY_ZOOM: Journey[] = [
  {
    title: "a visitor who searches hears the number of results",
    async run(reader, site) {
      await addArticles(site);
      await reader.open(`${site.url}/articles`, "Articles");
      await reader.find("Search entry");
      await reader.type("window");
      hearsOnce(await reader.hears("1 result"), "1 result");
    },
  },
  ...ORIGINS.map(({ from, path, page, title }) => ({
    title: `a visitor who opens an article from ${from} hears its title once, and after Back what they had opened`,
    async run(reader: ScreenReader, site: Site) {
      await addArticles(site);
      await reader.open(site.url + path, page);
      await reader.find("Window functions");
      await reader.press("Return");
      hearsOnce(await reader.hears("Window functions"), "Window functions");
      // The last key before Alt+Left is an arrow, because Orca then ignores the focus.
      await reader.press("Down");
      await reader.hears("Ada Marlowe");
      await reader.press("alt+Left");
      hearsOnce(await reader.hears(`${title}: Window functions`), "Window functions");
      // In a list, the focus is on the card's heading, before its link. Elsewhere, it is on the link itself.
      if (path.startsWith("/profile")) return;
      await reader.press("Tab");
      await reader.hears("Window functions visited link");
    },
  })),
  ...ORIGINS.map(({ from, path, page, title, position = "Window functions" }) => ({
    title: `a visitor who returns to ${from} reads on from the article that they had opened`,
    async run(reader: ScreenReader, site: Site) {
      await addArticles(site);
      await reader.open(site.url + path, page);
      await reader.find("Window functions");
      await reader.press("Return");
      await reader.hears("Window functions");
      await reader.press("Down");
      await reader.hears("Ada Marlowe");
      await reader.press("alt+Left");
      await reader.hears(`${title}: Window functions`);
      await reader.readsOn(position, "", "");
    },
  })),
  {
    title: "a member who signs in reads on from the page's heading, and from the next page's after Sign Out",
    async run(reader, site) {
      await signIn(reader, site);
      await reader.readsOn("Profile", "/profile/grace", "Profile Information");
      await reader.find("Sign Out", "shift+Tab");
      await reader.press("Return");
      const heard = await reader.hears("You are signed out.", "Our Tech Expertise");
      assert.ok(!heard.some((utterance) => utterance.includes("Sign in to your account")), heard.join(" | "));
      await reader.readsOn("Our Tech Expertise", "A platform", "SQL Mastery");
    },
  },
  {
    title: "an operator who signs in on the operators' page reads on from its heading",
    async run(reader, site) {
      const member = await site.addMember({ full_name: "Grace Hale" });
      await site.admin.auth.admin.updateUserById(member.id, { app_metadata: { role: "operator" } });
      await reader.open(`${site.url}/admin`, "Operators");
      await fillInSignIn(reader, member);
      hearsOnce(await reader.hears("You are signed in.", "Operators heading level 1"), "You are signed in.");
      await reader.readsOn("Operators", "Members", "Members");
    },
  },
  {
    title:
      "a visitor who follows a link from the home page to a card hears the list's title and the card's, once",
    async run(reader, site) {
      const { id } = await site.addMember({ username: "ada", full_name: "Ada Marlowe" });
      const link = { title: "Planner manual", url: "https://example.com/", category: "SQL" };
      await site.add("useful_links", { profile_id: id, ...link });
      await reader.open(site.url, "Techfolio.pro");
      await reader.find("Planner manual");
      await reader.press("Return");
      const heard = await reader.hears("Useful Links · Techfolio.pro", "Planner manual");
      hearsOnce(heard, "Planner manual");
    },
  },
  {
    title:
      "a visitor who presses Show More hears the number of new cards and the first one, and Back returns to one of them",
    async run(reader, site) {
      const { id } = await site.addMember({ username: "ada", full_name: "Ada Marlowe" });
      await addManyItems(site.admin, id, 60, ["useful_links"]);
      const { data } = await site.admin
        .from("useful_links")
        .select("id")
        .eq("title", "Link 47")
        .throwOnError();
      // Start at the last card of the first page.
      await reader.open(`${site.url}/useful-links#${data[0]?.id}`, "Useful Links");
      await reader.find("Show More");
      await reader.press("Return");
      await reader.hears("12 more links.", "Link 48");
      await reader.find("Permalink to Link 48");
      await reader.press("Return");
      await reader.hears("Link 48 · Techfolio.pro");
      await reader.press("alt+Left");
      await reader.hears("Useful Links · Techfolio.pro: Link 48");
    },
  },
  {
    title: "a visitor who searches everything hears the number of results",
    async run(reader, site) {
      await addArticles(site);
      await reader.open(`${site.url}/search`, "Search");
      await reader.find("Search entry");
      await reader.type("window");
      hearsOnce(await reader.hears("1 result"), "1 result");
    },
  },
  {
    title: "a member who leaves a form with unsaved changes hears the title, the question and the button",
    async run(reader, site) {
      await signIn(reader, site);
      await reader.open(`${site.url}/articles`, "Articles");
      await reader.find("Title entry");
      await reader.type("Unsaved");
      await reader.find("Useful Links", "shift+Tab");
      await reader.press("Return");
      await reader.hears("Unsaved Changes You have unsaved changes.");
      // Orca 43 says nothing about the first Tab in a dialog, which leads to Stay.
      await reader.find("Leave");
      await reader.press("shift+Tab");
      await reader.hears("Stay push button");
      await reader.press("Return");
      await reader.find("Title entry");
    },
  },
  {
    title: "a member who signs in, saves an article, deletes it and undoes that hears each result once",
    async run(reader, site) {
      await signIn(reader, site);
      await save(reader, site, "Sound check");
      await reader.find("Delete Sound check");
      await reader.press("Return");
      const deleted = 'Deleted "Sound check". Press Undo to restore it.';
      hearsOnce(await reader.hears(deleted), deleted);
      await reader.press("Tab");
      await reader.hears("Undo", 'Deleted "Sound check".');
      await reader.press("Return");
      hearsOnce(await reader.hears("Restored Sound check"), "Restored Sound check");
    },
  },
  {
    title: "a member who adds a link and a code sample hears each save once, and then its card",
    async run(reader, site) {
      await signIn(reader, site);
      await reader.open(`${site.url}/useful-links`, "Useful Links");
      for (const [label, text] of [
        ["Title entry", "Planner manual"],
        ["URL", "https://example.com/"],
        ["Category", "SQL"],
      ] as const) {
        await reader.find(label);
        await reader.type(text);
      }
      await reader.press("ctrl+Return");
      hearsOnce(await reader.hears("Saved Planner manual"), "Saved Planner manual");
      await reader.open(`${site.url}/sample-code`, "Sample Code");
      await reader.find("Title entry");
      await reader.type("Retry loop");
      await reader.find("Language");
      await reader.type("Py");
      await reader.find("Code entry");
      await reader.type("pass");
      await reader.press("ctrl+Return");
      hearsOnce(await reader.hears("Saved Retry loop"), "Saved Retry loop");
    },
  },
  {
    title: "a member who uses an earlier version hears what to do next",
    async run(reader, site) {
      const member = await signIn(reader, site);
      const { id } = await site.add("articles", { author_id: member.id, title: "Joins", content: "First" });
      const articles = await articlesOf(site, member);
      await articles.update({ content: "Second" }).eq("id", id).throwOnError();
      await reader.open(`${site.url}/articles`, "Articles");
      await reader.find("Edit Joins");
      await reader.press("Return");
      for (const part of ["Earlier Versions", "Until"]) {
        await reader.find(part);
        await reader.press("Return");
        await reader.hears("expanded");
      }
      await reader.find("Use This Version");
      await reader.press("Return");
      const next = "The form now contains the earlier version. Use Update to save it.";
      hearsOnce(await reader.hears(next), next);
    },
  },
  {
    title: "a member who restores a recently deleted item hears its title once",
    async run(reader, site) {
      const member = await signIn(reader, site);
      const { id } = await site.add("articles", { author_id: member.id, title: "Joins", content: "First" });
      const articles = await articlesOf(site, member);
      await articles.delete().eq("id", id).throwOnError();
      await reader.open(`${site.url}/profile`, "Profile");
      // Orca's key for the previous button starts again at the end of the page.
      await reader.find("Restore Joins", "shift+b");
      await reader.press("Return");
      hearsOnce(await reader.hears("Restored Joins"), "Restored Joins");
    },
  },
  {
    title: "an operator who features a member hears the result once",
    async run(reader, site) {
      const { id } = await signIn(reader, site);
      await site.admin.auth.admin.updateUserById(id, { app_metadata: { role: "operator" } });
      const { email } = await site.addMember({ full_name: "Ada Marlowe" });
      await reader.open(`${site.url}/admin`, "Operators");
      await reader.find("Search members");
      await reader.type(email);
      await reader.find("Feature");
      await reader.press("Return");
      hearsOnce(await reader.hears(`${email} is`), `${email} is`);
    },
  },
  {
    title: "a member who chooses a portrait hears its name",
    async run(reader, site) {
      await signIn(reader, site);
      await using folder = await temporaryFolder({ "me.png": makePng(64, 64).bytes });
      await reader.open(`${site.url}/profile`, "Profile");
      await reader.find("Choose Picture");
      await reader.press("Return");
      await chooseFile(reader, path.join(folder.path, "me.png"));
      hearsOnce(await reader.hears("Added me"), "Added me");
    },
  },
  {
    title: "a member who imports an article hears what was imported",
    async run(reader, site) {
      await signIn(reader, site);
      await using folder = await temporaryFolder({ "joins.md": "---\ntitle: Joins\n---\nText" });
      await reader.open(`${site.url}/profile`, "Profile");
      await reader.find("Import Content");
      await reader.press("Return");
      await chooseFile(reader, path.join(folder.path, "joins.md"));
      await reader.find("Import 1 Items");
      await reader.press("Return");
      hearsOnce(await reader.hears("Imported 1 item."), "Imported 1 item.");
    },
  },
];

/** All journeys. Some of those that move the focus run a second time at 200 %. */
export const JOURNEYS: Journey[] = [
  ...AT_ANY_ZOOM,
  ...AT_ANY_ZOOM.filter(({ title }) => /opens an article from a list|Show More|undoes/.test(title)).map(
    (journey) => ({ ...journey, title: `${journey.title}, at 200 %`, zoom: 2 }),
  ),
];
