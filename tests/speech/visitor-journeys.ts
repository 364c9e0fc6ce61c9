import { randomBytes } from "node:crypto";
import { digest } from "../../server/auth/opaque-tokens.ts";
import { addManyItems } from "../support/many-items.ts";
import type { ScreenReader } from "./screen-reader.ts";
import { addArticles, hearsNot, hearsOnce, type Journey, type Site } from "./steps.ts";

const ORIGINS = [
  {
    from: "a list",
    path: "/articles",
    page: "Articles",
    title: "Articles · Techfolio.pro",
    next: "Ada Marlowe link",
  },
  {
    from: "the home page",
    path: "/",
    page: "Techfolio.pro",
    title: "Techfolio.pro",
    next: "Ada Marlowe link",
  },
  {
    from: "a person's page",
    path: "/profile/ada",
    page: "Ada Marlowe",
    title: "Ada Marlowe · Techfolio.pro",
    next: " link",
  },
  {
    from: "a search",
    path: "/search?q=window",
    page: "Search",
    title: "Search · Techfolio.pro",
    next: "Ada Marlowe link",
    // The title begins with the searched word, which is marked.
    position: "Window",
  },
];

/** Creates an invitation link for addresses at example.org, and returns its path. */
async function addInvitationLink(site: Site): Promise<string> {
  const code = randomBytes(32).toString("base64url");
  const link = { code_digest: digest(code), people: 2, days: 1, domains: ["example.org"] };
  await site.admin.rpc("create_invitation_link", link).throwOnError();
  return `/join/${code}`;
}

export const VISITOR_JOURNEYS: Journey[] = [
  {
    title: "a visitor who searches hears the number of results, and reads on from the first one",
    async run(reader, site) {
      await addArticles(site);
      await reader.open(`${site.url}/articles`, "Articles");
      await reader.find("Search entry");
      await reader.type("window");
      hearsOnce(await reader.hears("1 result"), "1 result");
      await reader.find("Window functions");
      await reader.readsOn("Window functions");
    },
  },
  ...ORIGINS.map(({ from, path, page, title, next }) => ({
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
      await reader.press("Tab");
      await reader.hears(next);
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
      await reader.readsOn(position);
    },
  })),
  {
    title: "a visitor who returns to the people reads on from the person whose page they had opened",
    async run(reader, site) {
      for (const name of ["Ada Marlowe", "Grace Hale", "Ines Vale"]) {
        const { id } = await site.addMember({ full_name: name });
        await site.add("articles", { author_id: id, title: `By ${name}`, content: "Text", published: true });
      }
      await reader.open(`${site.url}/people`, "Professionals");
      await reader.find("Grace Hale");
      await reader.press("Return");
      hearsOnce(await reader.hears("Grace Hale · Techfolio.pro"), "Grace Hale · Techfolio.pro");
      await reader.readsOn("Grace Hale");
      await reader.press("alt+Left");
      await reader.hears("Professionals · Techfolio.pro: Grace Hale");
      await reader.readsOn("Grace Hale");
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
      await reader.readsOn("Planner manual");
    },
  },
  {
    title:
      "a visitor who presses Show More hears the number of new cards and the first one, and reads on from it; Back returns to one of them",
    async run(reader, site) {
      const { id } = await site.addMember({ username: "ada", full_name: "Ada Marlowe" });
      await addManyItems(site.admin, id, 60, ["useful_links"]);
      await reader.open(`${site.url}/useful-links`, "Useful Links");
      // While the list has the focus, it grows only on request.
      await reader.find("Link 0");
      await reader.find("Link 47", "h");
      await reader.find("Show More");
      await reader.press("Return");
      await reader.hears("12 more links.", "Link 48");
      // Where a heading has a link, Orca's response to "where am I" doesn't contain its text.
      await reader.readsOn("heading level 2", "", "Link 49");
      await reader.find("Permalink to Link 48", "shift+Tab");
      await reader.press("Return");
      await reader.hears("Link 48 · Techfolio.pro");
      await reader.press("alt+Left");
      await reader.hears("Useful Links · Techfolio.pro: Link 48");
      await reader.readsOn("Link 48", "", "Link 49");
    },
  },
  {
    title:
      "a visitor who searches everything hears the number of results and short addresses, and the skip link leads to the heading",
    async run(reader, site) {
      await addArticles(site);
      const { id } = await site.addMember({ username: "ines", full_name: "Ines Vale" });
      const url = "https://www.example.com/docs/window/frames.html?version=3#top";
      await site.add("useful_links", { profile_id: id, title: "Manual", url, category: "SQL" });
      await reader.open(`${site.url}/search`, "Search");
      await reader.find("Skip to content", "Tab");
      await reader.press("Return");
      await reader.hears("Search heading level 1");
      await reader.readsOn("Search", "Find articles");
      await reader.find("Search entry");
      await reader.type("window");
      hearsOnce(await reader.hears("2 results"), "2 results");
      await reader.find("Manual");
      await reader.readsOn("Manual");
      await reader.find("Manual", "shift+Tab");
      const address = await reader.readsUntil("example.com");
      hearsNot(address, "https");
      hearsNot(address, "version");
    },
  },
  {
    title: "a visitor hears the level of each skill as words, and no image",
    async run(reader, site) {
      const { id } = await site.addMember({ username: "ada", full_name: "Ada Marlowe", featured: true });
      await site.add("articles", { author_id: id, title: "Indexes", content: "Text", published: true });
      for (const name of ["SQL", "Python"])
        await site.add("skills", { profile_id: id, name, category: "sql", proficiency: 5 });
      for (const [path, page] of [
        ["/", "Techfolio.pro"],
        ["/profile/ada", "Ada Marlowe"],
      ] as const) {
        await reader.open(site.url + path, page);
        await reader.find("Ada Marlowe", "h");
        await reader.find("Python", "Down");
        hearsNot(await reader.readsUntil("5 of 5"), "image");
      }
    },
  },
  {
    title:
      "a person with an invitation link hears why an address is rejected, and then where the email was sent",
    async run(reader, site) {
      const path = await addInvitationLink(site);
      await reader.open(site.url + path, "Join Techfolio");
      await reader.find("Email entry");
      await reader.type("ada@example.com");
      await reader.press("Return");
      await reader.hears("Email entry ada@example.com", "This link is for addresses at example.org.");
      await reader.press("ctrl+a");
      await reader.type("ada@example.org");
      await reader.press("Return");
      await reader.hears("Email sent · Join Techfolio");
      await reader.press("ctrl+Home");
      await reader.readsUntil("We have sent an email to ada@example.org.");
    },
  },
  {
    title:
      "a reader who reports an article hears what they report, a rejected address and that the report was sent",
    async run(reader, site) {
      await addArticles(site);
      await reader.open(`${site.url}/articles`, "Articles");
      await reader.find("Window functions");
      await reader.press("Return");
      await reader.hears("Window functions");
      await reader.find("Report link", "shift+Tab");
      await reader.press("Return");
      await reader.hears("Finished loading Report Window functions");
      await reader.find("Report heading level 1", "h");
      await reader.readsOn("Report", "You are reporting the article");
      await reader.find("Reason");
      await reader.type("Spam");
      await reader.find("Email entry");
      await reader.type("reader");
      await reader.find("Send Report");
      await reader.press("Return");
      await reader.hears("Please enter an email address.");
      await reader.press("ctrl+a");
      await reader.press("Delete");
      await reader.find("Send Report");
      await reader.press("Return");
      await reader.hears("Finished loading Report sent · Techfolio.pro");
      await reader.press("ctrl+Home");
      await reader.readsUntil("Thank you. The operators of this site will look at it.");
      await reader.readsOn("Thank you.");
    },
  },
];
