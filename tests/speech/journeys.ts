import assert from "node:assert/strict";
import { addManyItems } from "../support/many-items.ts";
import type { Community, Member } from "../support/members.ts";
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
  const { email, password } = member;
  await reader.open(`${site.url}/profile`, "Profile");
  await reader.find("Email address entry");
  await reader.type(email);
  await reader.find("Password");
  await reader.type(password);
  await reader.press("Return");
  hearsOnce(await reader.hears("You are signed in."), "You are signed in.");
  return member;
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
  { from: "the home page", path: "/", page: "Techfolio.pro", title: "Techfolio.pro" },
  {
    from: "a person's page",
    path: "/profile/ada",
    page: "Ada Marlowe",
    title: "Ada Marlowe · Techfolio.pro",
  },
  { from: "a search", path: "/search?q=window", page: "Search", title: "Search · Techfolio.pro" },
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
      await reader.find("Ada Marlowe");
      await reader.press("alt+Left");
      hearsOnce(await reader.hears(`${title}: Window functions`), "Window functions");
      // In a list, the focus is on the card's heading, before its link. Elsewhere, it is on the link itself.
      if (path.startsWith("/profile")) return;
      await reader.press("Tab");
      await reader.hears("Window functions visited link");
    },
  })),
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
];

/** All journeys. Some of those that move the focus run a second time at 200 %. */
export const JOURNEYS: Journey[] = [
  ...AT_ANY_ZOOM,
  ...AT_ANY_ZOOM.filter(({ title }) => /opens an article from a list|Show More|undoes/.test(title)).map(
    (journey) => ({ ...journey, title: `${journey.title}, at 200 %`, zoom: 2 }),
  ),
];
