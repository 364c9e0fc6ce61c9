import { writeFile } from "node:fs/promises";
import path from "node:path";
import { makePng } from "../support/pictures.ts";
import {
  addPasskey,
  articlesOf,
  chooseFile,
  hearsNot,
  hearsOnce,
  type Journey,
  save,
  signIn,
} from "./steps.ts";

const UNNAMED = "Skill without a name";
/** Orca's response to "where am I" in a heading with a link doesn't contain its text. */
const HEADING = "heading level 2";

export const MEMBER_JOURNEYS: Journey[] = [
  {
    title: "a member who signs in reads on from the page's heading, and from the next page's after Sign Out",
    async run(reader, site) {
      await signIn(reader, site);
      await reader.readsOn("Profile", "/profile/grace", "Profile Information");
      await reader.find("Sign Out", "shift+Tab");
      await reader.press("Return");
      const heard = await reader.hears("You are signed out.", "Our Tech Expertise");
      hearsNot(heard, "Sign in to your account");
      await reader.readsOn("Our Tech Expertise", "A platform", "SQL Mastery");
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
      await reader.readsOn("Useful Links");
      await reader.find("Title entry");
    },
  },
  {
    title:
      "a member who signs in, saves an article, deletes it and undoes that hears each result once, and reads on from it",
    async run(reader, site) {
      await signIn(reader, site);
      await save(reader, site, "Sound check");
      await reader.readsOn(HEADING);
      await reader.find("Delete Sound check");
      await reader.press("Return");
      const deleted = 'Deleted "Sound check". Press Undo to restore it.';
      hearsOnce(await reader.hears(deleted), deleted);
      await reader.readsOn('Deleted "Sound check".');
      await reader.find("Undo");
      await reader.press("Return");
      hearsOnce(await reader.hears("Restored Sound check"), "Restored Sound check");
      await reader.readsOn(HEADING);
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
      await reader.readsOn(HEADING);
      await reader.open(`${site.url}/sample-code`, "Sample Code");
      await reader.find("Title entry");
      await reader.type("Retry loop");
      await reader.find("Language");
      await reader.type("Py");
      await reader.find("Code entry");
      await reader.type("pass");
      await reader.press("ctrl+Return");
      hearsOnce(await reader.hears("Saved Retry loop"), "Saved Retry loop");
      await reader.readsOn(HEADING);
    },
  },
  {
    title:
      "a member reads an earlier version with the arrow keys, and hears what to do next when they use it",
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
      await reader.readsUntil("Second.");
      await reader.readsUntil("Use This Version");
      await reader.press("Return");
      const next = "The form now contains the earlier version. Use Update to save it.";
      hearsOnce(await reader.hears(next), next);
    },
  },
  {
    title:
      "a member who restores a recently deleted item hears its title once, and reads on from the next one",
    async run(reader, site) {
      const member = await signIn(reader, site);
      const articles = await articlesOf(site, member);
      for (const title of ["Joins", "Locks"]) {
        const { id } = await site.add("articles", { author_id: member.id, title, content: "First" });
        await articles.delete().eq("id", id).throwOnError();
      }
      await reader.open(`${site.url}/profile`, "Profile");
      await reader.find("Recently Deleted", "h");
      await reader.find("Restore Locks", "b");
      await reader.press("Return");
      hearsOnce(await reader.hears("Restored Locks"), "Restored Locks");
      await reader.readsOn("Restore Joins", "Preview Joins", "Password");
      await reader.find("Preview Joins", "shift+Tab");
      await reader.press("Return");
      await reader.hears("expanded");
      await reader.readsUntil("First");
      await reader.find("Restore Joins", "shift+b");
      await reader.press("Return");
      hearsOnce(await reader.hears("Restored Joins"), "Restored Joins");
      await reader.readsOn("Profile", "/profile/grace", "Profile Information");
    },
  },
  {
    title: "a member who adds, edits, deletes and restores a skill without a name hears what it is called",
    async run(reader, site) {
      await signIn(reader, site);
      await reader.open(`${site.url}/profile`, "Profile");
      await reader.find("Skill Name");
      await reader.press("Return");
      hearsOnce(await reader.hears(`Added ${UNNAMED}`), `Added ${UNNAMED}`);
      await reader.find(`Edit ${UNNAMED}`);
      await reader.press("Return");
      await reader.hears(UNNAMED, "Skill Name entry");
      await reader.press("Return");
      hearsOnce(await reader.hears(`Saved ${UNNAMED}`), `Saved ${UNNAMED}`);
      await reader.find(`Delete ${UNNAMED}`);
      await reader.press("Return");
      const deleted = `Deleted "${UNNAMED}". Press Undo to restore it.`;
      hearsOnce(await reader.hears(deleted), deleted);
      await reader.readsOn(`Deleted "${UNNAMED}".`);
      await reader.find("Undo");
      await reader.press("Return");
      hearsOnce(await reader.hears(`Restored ${UNNAMED}`), `Restored ${UNNAMED}`);
      await reader.readsOn("");
    },
  },
  {
    title: "a member who renames and deletes a passkey hears each result once, and reads on from there",
    async run(reader, site) {
      const member = await signIn(reader, site);
      await addPasskey(site, member);
      await reader.open(`${site.url}/profile`, "Profile");
      await reader.find("Rename Passkey", "shift+b");
      await reader.press("Return");
      await reader.hears("Name entry");
      await reader.press("ctrl+a");
      await reader.type("Phone");
      await reader.press("Return");
      hearsOnce(await reader.hears("Renamed Passkey to Phone."), "Renamed Passkey to Phone.");
      await reader.readsOn("Rename Phone", "Added");
      await reader.find("Delete Phone");
      await reader.press("Return");
      hearsOnce(await reader.hears("Deleted Phone."), "Deleted Phone.");
      await reader.readsOn("Passkeys", "A passkey signs you in");
    },
  },
  {
    title: "a member who chooses a portrait hears its name",
    async run(reader, site) {
      await signIn(reader, site);
      await writeFile(path.join(reader.home, "me.png"), makePng(64, 64).bytes);
      await reader.open(`${site.url}/profile`, "Profile");
      await reader.find("Choose Picture");
      await reader.press("Return");
      await chooseFile(reader, "me.png");
      hearsOnce(await reader.hears("Added me"), "Added me");
      await reader.readsOn("Choose Picture");
    },
  },
  {
    title: "a member who adds a picture to an article hears its name, and describes it where the focus leads",
    async run(reader, site) {
      await signIn(reader, site);
      await writeFile(path.join(reader.home, "plan.png"), makePng(64, 64).bytes);
      await reader.open(`${site.url}/articles`, "Articles");
      await reader.find("Title entry");
      await reader.type("Plans");
      await reader.find("Add Picture");
      await reader.press("Return");
      await chooseFile(reader, "plan.png");
      hearsOnce(await reader.hears("Added plan"), "Added plan");
      await reader.find("Describe plan");
      await reader.press("Return");
      await reader.hears("Content (Markdown)");
      await reader.type("A query plan");
      await reader.press("ctrl+Return");
      hearsOnce(await reader.hears("Saved Plans"), "Saved Plans");
      await reader.readsOn(HEADING);
      await reader.find("Plans", "shift+Tab");
      await reader.readsUntil("A query plan");
    },
  },
  {
    title: "a member who imports an article hears what was found, what was imported, and reads on from there",
    async run(reader, site) {
      await signIn(reader, site);
      await writeFile(path.join(reader.home, "joins.md"), "---\ntitle: Joins\n---\nText");
      await reader.open(`${site.url}/profile`, "Profile");
      await reader.find("Import Content");
      await reader.press("Return");
      await chooseFile(reader, "joins.md");
      const found = "Found 1 to create and 0 to update. Nothing has been imported yet.";
      const ready = "Ready to import: 1 new, 0 changed";
      hearsOnce(await reader.hears(ready), ready);
      await reader.readsOn(found, "Create (1)");
      await reader.find("Joins");
      await reader.find("Import 1 Items");
      await reader.press("Return");
      hearsOnce(await reader.hears("Import finished: 1 of 1"), "Import finished: 1 of 1");
      await reader.readsOn("Imported 1 item.", "Show in Your Items");
    },
  },
];
