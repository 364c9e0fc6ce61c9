import assert from "node:assert/strict";
import { runServerProgram } from "../support/command.ts";
import type { Community } from "../support/members.ts";
import type { RunningServer } from "../support/server.ts";
import type { Visit } from "./visit.ts";

export interface Journey {
  title: string;
  withoutScripts?: boolean;
  run(visit: Visit, site: RunningServer & Community): Promise<void>;
}

async function addArticle(site: Community, title: string, content = "Some text"): Promise<string> {
  const { id } = await site.addMember({ username: "ada", full_name: "Ada Marlowe", featured: true });
  await site.add("articles", { author_id: id, title: "Indexes", content: "B-trees", published: true });
  return (await site.add("articles", { author_id: id, title, content, published: true })).id;
}

async function visitAuthor(visit: Visit, site: Community, search: () => Promise<void>): Promise<void> {
  await addArticle(site, "Window functions", "Rows in **frames**");
  await visit.open("/");
  await visit.sees("Our Tech Expertise", "Window functions", "Indexes");
  await visit.click("link", "Articles");
  // The home page has a search box, too.
  await visit.sees("written down in full");
  await visit.type("Search", "WINDOW");
  await search();
  await visit.doesNotSee("Indexes");
  await visit.click("link", "Window functions");
  await visit.sees("frames");
  await visit.click("link", "Ada Marlowe");
  await visit.sees("Window functions", "Indexes");
}

export const JOURNEYS: Journey[] = [
  {
    title: "a visitor browses, searches, opens an article and then opens its author's page",
    run: (visit, site) => visitAuthor(visit, site, async () => undefined),
  },
  {
    title:
      "a visitor without scripts browses, searches, opens an author's page and learns that signing in needs JavaScript",
    withoutScripts: true,
    async run(visit, site) {
      await visitAuthor(visit, site, () => visit.click("button", "Apply"));
      await visit.click("link", "Profile");
      await visit.sees("Signing in needs JavaScript.");
    },
  },
  {
    title: "a member signs in, publishes an article, edits it, deletes it and signs out",
    async run(visit, site) {
      const { email, password } = await site.addMember({ username: "grace", full_name: "Grace Hale" });
      const titles = async () => {
        const { data } = await site.admin.from("articles").select("title, published").throwOnError();
        return data.map(({ title, published }) => `${title}, ${published ? "published" : "unpublished"}`);
      };
      await visit.open("/profile");
      await visit.type("Email address", email);
      await visit.type("Password", password);
      await visit.click("button", "Sign in");
      await visit.sees("Profile Information");
      await visit.click("link", "Articles");
      await visit.sees("Create New Article");
      await visit.type("Title", "Joins");
      await visit.type("Content (Markdown)", "Rows that **meet**");
      await visit.click("checkbox", "Publish article");
      await visit.click("button", "Create Article");
      await visit.sees("Joins", "meet", "Grace Hale");
      assert.deepEqual(await titles(), ["Joins, published"]);

      await visit.click("button", "Edit Joins");
      await visit.sees("Edit Article");
      await visit.type("Title", " of three tables");
      await visit.click("button", "Update Article");
      await visit.sees("Joins of three tables", "Create New Article");
      assert.deepEqual(await titles(), ["Joins of three tables, published"]);

      await visit.click("button", "Delete Joins of three tables");
      await visit.sees("Deleted", "Undo");
      await visit.doesNotSee("meet");
      assert.deepEqual(await titles(), []);
      await visit.click("button", "Sign Out");
      await visit.sees("Our Tech Expertise");
      await visit.click("link", "Profile");
      await visit.sees("Sign in to your account");
    },
  },
  {
    title: "an article that an operator unpublishes disappears from the home page",
    async run(visit, site) {
      const id = await addArticle(site, "Soon unpublished");
      await visit.open("/");
      await visit.sees("Soon unpublished");
      const settings = { DATA_DIR: site.dataDir, PORT: new URL(site.url).port };
      const { code, stderr } = await runServerProgram("server/cli/content.ts", ["unpublish", id], settings);
      assert.equal(code, 0, stderr);
      await visit.open("/");
      await visit.sees("Indexes");
      await visit.doesNotSee("Soon unpublished");
    },
  },
];
