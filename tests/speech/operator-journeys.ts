import type { ScreenReader } from "./screen-reader.ts";
import { hearsOnce, type Journey, signInAsOperator } from "./steps.ts";

/**
 * From a menu button, Down opens the menu, and `h` is not a command: Orca 43 changes to focus mode at every button with
 * `aria-haspopup="menu"`, even on a page with one button and without `aria-expanded`.
 */
async function readsOnFromMenu(reader: ScreenReader, button: string): Promise<void> {
  await reader.press("KP_Enter");
  await reader.hears(button);
  await reader.find("link", "shift+Tab");
  await reader.readsOn();
}

export const OPERATOR_JOURNEYS: Journey[] = [
  {
    title: "an operator who signs in on the operators' page reads on from its heading",
    async run(reader, site) {
      await signInAsOperator(reader, site);
      await reader.readsOn("Operators", "Members", "Members");
    },
  },
  {
    title:
      "an operator hears how many members and how much content a search has found, and reads on from the first",
    async run(reader, site) {
      await signInAsOperator(reader, site);
      const { id } = await site.addMember({ full_name: "Ada Marlowe" });
      await site.add("articles", { author_id: id, title: "Joins", content: "Text" });
      for (const [field, none, text, found] of [
        ["Search members", "No member matches the search.", "ada", "Ada Marlowe link"],
        ["Search content", "No items were found.", "joins", "Joins link"],
      ] as const) {
        await reader.open(`${site.url}/admin`, "Operators");
        await reader.find(field);
        await reader.type("qqq");
        hearsOnce(await reader.hears(none), none);
        await reader.press("ctrl+a");
        await reader.type(text);
        hearsOnce(await reader.hears("1 result"), "1 result");
        await reader.find(found);
        await reader.readsOn(found.replace(" link", ""));
      }
    },
  },
  {
    title:
      "an operator opens the menu of a member, features them and hears the result once, and reads on from the menu",
    async run(reader, site) {
      await signInAsOperator(reader, site);
      const { email } = await site.addMember({ full_name: "Ada Marlowe" });
      await reader.open(`${site.url}/admin?members=ada`, "Operators");
      await reader.find("Actions for Ada Marlowe");
      await reader.press("Return");
      await reader.hears("menu", "Suspend");
      await reader.find("Feature", "Down");
      await reader.press("Escape");
      await reader.hears("collapsed");
      await reader.press("Return");
      await reader.find("Feature", "Down");
      await reader.press("Return");
      hearsOnce(await reader.hears(`${email} is`), `${email} is`);
      await readsOnFromMenu(reader, "Actions for Ada Marlowe");
    },
  },
  {
    title:
      "the last operator, who suspends themselves, hears why that is refused, and reads on from the menu",
    async run(reader, site) {
      await signInAsOperator(reader, site);
      await reader.open(`${site.url}/admin?members=grace`, "Operators");
      await reader.find("Actions for Grace Hale");
      await reader.press("Return");
      await reader.hears("Suspend");
      await reader.press("Return");
      await reader.hears("will be signed out", "Duration");
      await reader.find("Suspend push button");
      await reader.press("Return");
      hearsOnce(await reader.hears("last operator"), "last operator");
      await readsOnFromMenu(reader, "Actions for Grace Hale");
    },
  },
  {
    title: "the dialog of Remove reads its text and its field, and Escape returns to the menu",
    async run(reader, site) {
      await signInAsOperator(reader, site);
      await site.addMember({ full_name: "Ada Marlowe" });
      await reader.open(`${site.url}/admin?members=ada`, "Operators");
      await reader.find("Actions for Ada Marlowe");
      await reader.press("Return");
      await reader.hears("Suspend");
      await reader.find("Remove.", "End");
      await reader.press("Return");
      await reader.hears("Remove", "Type the email address to confirm.", "Email address entry", "Focus mode");
      await reader.press("Escape");
      await reader.hears("Actions for Ada Marlowe");
      await readsOnFromMenu(reader, "Actions for Ada Marlowe");
    },
  },
  {
    title:
      "an operator who invites people and creates an invitation link hears the results, and reads on from the link",
    async run(reader, site) {
      await signInAsOperator(reader, site);
      await reader.find("Invite");
      await reader.type("nonsense");
      await reader.press("Return");
      await reader.type("ada@example.org");
      await reader.find("Send Invitations");
      await reader.press("Return");
      const invited = "1 of 2 invited. 1 line is still in the field.";
      hearsOnce(await reader.hears(invited), invited);
      await reader.readsOn("Send Invitations", "1 of 2 invited");
      await reader.find("Create Link");
      await reader.press("Return");
      const created = "10 people can join with this link in the next 7 days. It is shown only once.";
      hearsOnce(await reader.hears(created), created);
      await reader.readsOn(created);
      await reader.find("Copy push button");
      await reader.press("Return");
      hearsOnce(await reader.hears("Link copied"), "Link copied");
      await reader.readsOn("Copy", "0 of 10");
      await reader.find("Close push button");
      await reader.press("Return");
      await reader.hears("Close the Link?");
      await reader.find("Close Link");
      await reader.press("Return");
      const closed = "Nobody can join with this link any more.";
      hearsOnce(await reader.hears(closed), closed);
      await reader.readsOn(closed);
    },
  },
  {
    title:
      "an operator who dismisses a report and removes an item hears each result once, and reads on from it",
    async run(reader, site) {
      await signInAsOperator(reader, site);
      const { id } = await site.addMember({ full_name: "Ada Marlowe" });
      const article = await site.add("articles", {
        author_id: id,
        title: "Joins",
        content: "x",
        published: true,
      });
      const body = new URLSearchParams({ reason: "Spam", email: "" });
      await fetch(`${site.url}/report/articles/${article.id}`, {
        method: "POST",
        body,
        headers: { Origin: site.url },
      });
      await reader.open(`${site.url}/admin`, "Operators");
      await reader.find("Readers have reported 1 item or person.");
      await reader.press("Return");
      await reader.find("Dismiss");
      await reader.press("Return");
      const dismissed = "dismissed";
      hearsOnce(await reader.hears(dismissed), dismissed);
      await reader.readsOn(dismissed);
      await reader.find("Remove push button", "shift+Tab");
      await reader.press("Return");
      await reader.hears("Remove");
      await reader.find("Remove push button");
      await reader.press("Return");
      hearsOnce(await reader.hears('"Joins" was removed.'), '"Joins" was removed.');
      await reader.readsOn('"Joins" was removed.');
    },
  },
];
