import assert from "node:assert/strict";
import type { Community } from "../support/members.ts";
import type { RunningServer } from "../support/server.ts";
import type { ScreenReader } from "./screen-reader.ts";

type Site = RunningServer & Community;

export interface Journey {
  title: string;
  run(reader: ScreenReader, site: Site): Promise<void>;
}

async function addArticles(site: Site): Promise<void> {
  const { id } = await site.addMember({ username: "ada", full_name: "Ada Marlowe" });
  for (const title of ["Window functions", "Indexes"])
    await site.add("articles", { author_id: id, title, content: "Some text", published: true });
}

async function signIn(reader: ScreenReader, site: Site): Promise<void> {
  const { email, password } = await site.addMember({ username: "grace", full_name: "Grace Hale" });
  await reader.open(`${site.url}/profile`, "Profile");
  await reader.find("Email address entry");
  await reader.type(email);
  await reader.find("Password");
  await reader.type(password);
  await reader.press("Return");
  hearsOnce(await reader.hears("You are signed in."), "You are signed in.");
}

/** Creates an article by the form. */
async function save(reader: ScreenReader, site: Site, title: string): Promise<void> {
  await reader.open(`${site.url}/articles`, "Articles");
  await reader.find("Title entry");
  await reader.type(title);
  await reader.find("Content (Markdown)");
  await reader.type("Some text");
  await reader.find("Create Article");
  await reader.press("Return");
  hearsOnce(await reader.hears(`Saved ${title}`), `Saved ${title}`);
}

function hearsOnce(heard: string[], text: string): void {
  assert.equal(heard.filter((utterance) => utterance.includes(text)).length, 1, heard.join(" | "));
}

const ORIGINS = [
  { from: "a list", path: "/articles", page: "Articles", title: "Articles · Techfolio.pro" },
  { from: "a search", path: "/search?q=window", page: "Search", title: "Search · Techfolio.pro" },
];

export const JOURNEYS: Journey[] = [
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
      await reader.find("Window functions link");
      await reader.press("Return");
      hearsOnce(await reader.hears("Window functions"), "Window functions");
      await reader.find("Ada Marlowe");
      await reader.press("alt+Left");
      hearsOnce(await reader.hears(`${title}: Window functions`), "Window functions");
      await reader.press("Tab");
      await reader.hears("Window functions visited link");
    },
  })),
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
      await reader.find("Stay");
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
];
