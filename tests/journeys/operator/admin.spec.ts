import type { Locator } from "@playwright/test";
import { recordBackup } from "../../../server/postgres/last-backup.ts";
import { violations } from "../../support/axe.ts";
import { connectAdmin } from "../../support/data-dir.ts";
import { holdWrites } from "../../support/forms.ts";
import { addManyItems } from "../../support/many-items.ts";
import type { Member } from "../../support/members.ts";
import { deliverOneByOne, moves, watchMoves } from "../../support/moves.ts";
import { actOn, makeOperator, region, rowOf } from "../../support/operators-page.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { hydrated, idle } from "../../support/visiting.ts";

/** The chip of a featured member's row. */
const featured = (row: Locator): Locator => row.getByText("featured", { exact: true });

/** Makes all sessions begin two hours earlier. */
async function ageSessions({ dataDir }: Site): Promise<void> {
  const database = await connectAdmin(dataDir);
  await database.query("update auth.sessions set created_at = created_at - interval '2 hours'");
  await database.end();
}

test("a visitor sees the sign-in form, and an operator who signs in there sees the regions", async ({
  page,
  site,
}) => {
  const operator = await makeOperator(site);
  await page.goto("/admin");
  await hydrated(page);
  expect(await page.title()).toMatch(/^Operators · /);
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  await page.getByLabel("Email address").fill(operator.email);
  await page.getByLabel("Password").fill(operator.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  for (const name of ["Members", "Content", "Log", "State"]) await expect(region(page, name)).toBeVisible();
  await expect(rowOf(page, "Members", operator.email)).toContainText("operator");

  await test.step("the first steps of an empty site begin with adding people", async () => {
    await page.getByRole("link", { name: "Techfolio.pro" }).first().click();
    const steps = region(page, "First Steps").getByRole("link");
    await expect(steps).toHaveText([/^Add people$/, /^Fill in your profile$/, /./, /./, /./]);
    await steps.first().click();
    await expect(page).toHaveURL("/admin#members");
  });
  await test.step("the links beside the profile's heading share one line", async () => {
    await page.goto("/profile");
    const links = ["Your public page", "Operate the site"].map((name) => page.getByRole("link", { name }));
    const heading = page.getByRole("heading", { name: "Profile", exact: true });
    const middleOf = async (part: Locator) => {
      const { y, height } = (await part.boundingBox()) ?? { y: 0, height: 0 };
      return y + height / 2;
    };
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const [first, second] = await Promise.all(links.map(middleOf));
      expect(first, `at ${width} pixels`).toBe(second);
      // A phone shows the links below the heading.
      const distance = Math.abs((await middleOf(heading)) - (first ?? 0));
      expect(distance, `at ${width} pixels`).toBeLessThan(width === 390 ? 60 : 8);
    }
  });
});

test("nothing on /admin moves when a region's rows arrive", async ({ page, site, signIn }) => {
  const operator = await makeOperator(site);
  await site.add("articles", { author_id: operator.id, title: "Long ago", content: "Text" });
  const database = await connectAdmin(site.dataDir);
  await recordBackup(database, new Date(Date.now() - 50 * 3_600_000));
  await database.end();
  await signIn(operator);
  await watchMoves(page);
  const last = page.getByRole("button", { name: "Check Again" });
  for (const first of ["newest", "oldest"] as const) {
    await deliverOneByOne(page, "/admin", /\/admin\/v1\//, first, last);
    await expect(rowOf(page, "Members", operator.email)).toBeVisible();
    await expect(region(page, "Needs attention")).toContainText("backup");
    expect(await moves(page), `the ${first} request is answered first`).toEqual([]);
  }
});

test.describe("as a member who is not an operator", () => {
  test.use({ expectedProblems: [/403 \(Forbidden\)/] });

  test("a member sees the text of the not-found page, loads none of the operators' scripts, and sees no Moderate links", async ({
    page,
    site,
    member,
  }) => {
    await site.add("articles", { author_id: member.id, title: "Own", content: "x", published: true });
    const scripts: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() === "script") scripts.push(request.url());
    });
    await page.goto("/admin");
    await expect(page.getByRole("heading", { name: "This page does not exist" })).toBeVisible();
    await expect(region(page, "Members")).toHaveCount(0);
    expect(scripts.filter((url) => /operator-page/.test(url))).toEqual([]);
    await page.goto("/articles");
    await expect(page.getByRole("button", { name: "Edit Own" })).toBeVisible();
    await expect(page.getByRole("link", { name: /^Moderate/ })).toHaveCount(0);
  });
});

test.describe("an operator on the operators' page", () => {
  let operator: Member;
  test.beforeEach(async ({ site, signIn }) => {
    operator = await makeOperator(site);
    await signIn(operator);
  });

  test("the region State shows the last backup's time, and a backup that is too old as a problem", async ({
    page,
    site,
  }) => {
    const database = await connectAdmin(site.dataDir);
    await recordBackup(database, new Date(Date.now() - 50 * 3_600_000));
    await page.goto("/admin");
    const state = region(page, "State");
    await expect(state).toContainText("Problem: The newest backup is 50 hours old");
    await recordBackup(database, new Date("2026-01-02T12:00:00Z"));
    await state.getByRole("button", { name: "Check Again" }).click();
    await expect(state.getByText("Jan 2, 2026")).toBeVisible();
    await database.query("comment on table supabase_migrations.schema_migrations is null");
    await database.end();
    await state.getByRole("button", { name: "Check Again" }).click();
    await expect(state).toContainText("No backup has been made yet.");
    await expect(state).not.toContainText("Last backup");
  });

  test("an operator finds, suspends and unsuspends a member, the log shows it, and the operator features another one, clears their profile, removes their content after seeing its amount, and removes them", async ({
    page,
    site,
  }) => {
    await test.step("finds, suspends and unsuspends a member, and the log shows it", async () => {
      const member = await site.addMember({ full_name: "Ada Byron" });
      await site.addMember({ full_name: "Somebody Else" });
      await page.goto("/admin");
      await page.getByRole("searchbox", { name: "Search members" }).fill("ada byron");
      await expect(rowOf(page, "Members", "@example.com")).toHaveCount(1);
      const row = rowOf(page, "Members", member.email);
      await actOn(row, "Suspend");
      const dialog = page.getByRole("alertdialog");
      await dialog.getByLabel("Duration").selectOption("7 days");
      await dialog.getByRole("button", { name: "Suspend" }).click();
      await expect(row).toContainText("suspended until");
      await expect(region(page, "Members")).toContainText(`${member.email} is suspended until`);
      expect(await site.openSession(member).catch(({ code }) => code)).toBe("user_banned");
      const entry = rowOf(page, "Log", "Member suspended").first();
      await expect(entry).toContainText(member.email);
      // In the viewer's own format, as on the member's row.
      await expect(entry).toContainText(/until: [A-Z][a-z]{2} \d/);
      await actOn(row, "Unsuspend");
      await expect(row.getByText("active", { exact: true })).toBeVisible();
      await site.openSession(member);
    });
    await test.step("features a member, clears their profile, removes their content after seeing how much it is, and removes the member after typing their address", async () => {
      const member = await site.addMember({ full_name: "Spam", bio: "Pills" });
      for (const title of ["One", "Two"])
        await site.add("articles", { author_id: member.id, title, content: "x", published: true });
      await page.goto(`/admin?members=${member.id}`);
      const row = rowOf(page, "Members", member.email);
      await actOn(row, "Feature");
      await expect(featured(row)).toBeVisible();
      await actOn(row, "Clear Profile");
      const dialog = page.getByRole("alertdialog");
      await dialog.getByRole("button", { name: "Clear Profile" }).click();
      await expect(region(page, "Members")).toContainText("was cleared");
      await actOn(row, "Remove Content");
      await expect(dialog).toContainText("2 articles");
      await dialog.getByRole("button", { name: "Remove Content" }).click();
      await expect(region(page, "Members")).toContainText(
        "Only a backup that was made before this can restore it.",
      );
      await expect(row).toContainText("Articles: 0");
      const { data } = await site.admin.from("profiles").select("bio,featured").eq("id", member.id).single();
      expect(data).toEqual({ bio: null, featured: true });

      await test.step("Escape and another address don't remove the member", async () => {
        const remove = dialog.getByRole("button", { name: "Remove" });
        await actOn(row, "Remove");
        await page.keyboard.press("Escape");
        await expect(dialog).toHaveCount(0);
        await actOn(row, "Remove");
        await expect(remove).toBeDisabled();
        await dialog.getByLabel("Email address").fill(operator.email);
        await expect(remove).toBeDisabled();
        await dialog.getByLabel("Email address").fill(member.email);
        await remove.click();
        await expect(row).toHaveCount(0);
        await expect(region(page, "Members")).toContainText(
          `${member.email} was removed with everything they owned.`,
        );
      });
    });
  });

  test("Show More adds rows, announces their number and focuses the first of them, but leaves the focus in a search field that the operator has focused since", async ({
    page,
    site,
  }) => {
    await addManyItems(site.admin, operator.id, 130, ["useful_links"]);
    await page.goto("/admin");
    const rows = rowOf(page, "Content", "");
    const showMore = region(page, "Content").getByRole("button", { name: "Show More" });
    await expect(rows.first()).toBeVisible();
    const count = await rows.count();
    await showMore.press("Enter");
    await expect(rows.nth(count)).toBeFocused();
    const more = await rows.count();
    await expect(page.locator("[aria-live=polite]")).toContainText(`${more - count} more items.`);

    const released = Promise.withResolvers<void>();
    await page.route("**/admin/v1/content?**", (route) => released.promise.then(() => route.continue()));
    await showMore.press("Enter");
    const search = page.getByRole("searchbox", { name: "Search content" });
    await search.focus();
    released.resolve();
    await expect.poll(() => rows.count()).toBeGreaterThan(more);
    await idle(page);
    await expect(search).toBeFocused();
  });

  test("an action that finishes after a newer search keeps the found rows and the focus", async ({
    page,
    site,
  }) => {
    const member = await site.addMember({ full_name: "Ada Byron" });
    for (const title of ["Pills", "Fine"])
      await site.add("articles", { author_id: member.id, title, content: "x", published: true });
    await page.goto("/admin");
    for (const [name, text, buttons, found, lastRead] of [
      ["Members", "Ada Byron", ["Feature"], "olga operator", `**/admin/v1/members?q=${member.id}`],
      ["Content", "Pills", ["Remove", "Remove"], "fine", "**/admin/v1/log?**"],
    ] as const) {
      await test.step(name, async () => {
        const held = await holdWrites(page, "**/admin/v1/**");
        const [first, second] = buttons;
        await actOn(rowOf(page, name, text), first);
        if (second) await page.getByRole("alertdialog").getByRole("button", { name: second }).click();
        await held.arrived;
        const search = page.getByRole("searchbox", { name: `Search ${name.toLowerCase()}` });
        await search.pressSequentially(found);
        await expect(rowOf(page, name, "")).toHaveCount(1);
        const read = page.waitForResponse(lastRead);
        held.release();
        await (await read).finished();
        await expect(region(page, name).getByRole("button", { name: "Dismiss" })).toBeVisible();
        await idle(page);
        await expect(rowOf(page, name, "")).toHaveCount(1);
        await expect(search).toBeFocused();
        await page.unroute("**/admin/v1/**");
      });
    }
  });

  test.describe("invitations with a lost response", () => {
    test.use({ expectedProblems: [/ERR_FAILED/] });

    test("an operator invites several people, lines that fail stay in the field, and the links aren't lost", async ({
      page,
      context,
    }) => {
      await page.goto("/admin");
      const field = page.getByLabel("Invite");
      const height = (await field.boundingBox())?.height;
      await field.fill(Array.from({ length: 200 }, (_, n) => `person-${n}@example.com`).join("\n"));
      expect((await field.boundingBox())?.height, "the field keeps its height").toBe(height);

      const lines = [
        "ada@example.com",
        "nonsense",
        "Grace H. <grace@example.com>",
        `Taken,${operator.email}`,
      ];
      await field.fill(lines.join("\n"));
      const held = await holdWrites(page, "**/admin/v1/invitations");
      await page.getByRole("button", { name: "Send Invitations" }).click();
      await held.arrived;
      await expect(page.getByText("Inviting 0 of 4…")).toBeVisible();
      await page.getByRole("link", { name: "Articles", exact: true }).click();
      const leaving = page.getByRole("alertdialog", { name: "Invitations in Progress" });
      await leaving.getByRole("button", { name: "Stay" }).click();
      held.release();
      const results = page.getByRole("list", { name: "Results" }).getByRole("listitem");
      await expect(results).toHaveCount(4);
      await expect(results.nth(0)).toContainText('"nonsense" is not an email address.');
      await expect(results.nth(1)).toContainText("There is already a member with this email address");
      await expect(results.nth(2)).toContainText("ada@example.com is invited");
      await expect(results.nth(2)).toContainText("token_hash=");
      await expect(results.nth(3)).toContainText("is invited");
      await expect(field).toHaveValue(`nonsense\nTaken,${operator.email}`);
      await expect(page.getByText("2 of 4 invited. 2 lines are still in the field.").first()).toBeVisible();
      await expect(rowOf(page, "Members", "grace@example.com")).toContainText("Grace H.");

      await test.step("lines whose response is lost stay in the field, and the others are invited", async () => {
        const twelve = Array.from({ length: 12 }, (_, n) => `person-${n}@example.com`);
        await field.fill(twelve.join("\n"));
        let requests = 0;
        await page.route("**/admin/v1/invitations", async (route) => {
          requests += 1;
          if (requests !== 2) return route.continue();
          await route.fetch();
          await route.abort();
        });
        await page.getByRole("button", { name: "Send Invitations" }).click();
        await expect(
          page.getByText("7 of 12 invited. 5 lines are still in the field.").first(),
        ).toBeVisible();
        await expect(field).toHaveValue(twelve.slice(5, 10).join("\n"));
        await page.getByRole("link", { name: "Articles", exact: true }).click();
        const dialog = page.getByRole("alertdialog", { name: "Links Not Copied" });
        await expect(dialog).toContainText("The field Invite has lines that were not sent.");
        await dialog.getByRole("button", { name: "Stay" }).click();
        await page.getByRole("button", { name: "Send Invitations" }).click();
        await expect(page.getByText("5 of 5 invited.").first()).toBeVisible();
        await expect(field).toHaveValue("");
        await expect(results).toHaveCount(14);
        await page.unroute("**/admin/v1/invitations");
      });
      await test.step("a second invitation keeps the links of the first one", async () => {
        await field.fill("kim@example.com");
        await page.getByRole("button", { name: "Send Invitations" }).click();
        await expect(results).toHaveCount(15);
        await expect(results.nth(14)).toContainText("kim@example.com is invited");
      });
      await test.step("leaving asks until the links are copied or downloaded", async () => {
        await page.getByRole("link", { name: "Articles", exact: true }).click();
        const dialog = page.getByRole("alertdialog", { name: "Links Not Copied" });
        await dialog.getByRole("button", { name: "Stay" }).click();
        await context.grantPermissions(["clipboard-read", "clipboard-write"]);
        await page.getByRole("button", { name: "Copy All Links" }).click();
        await expect(page.locator("[aria-live=polite]")).toContainText("Links copied");
        const copied = (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
        expect(copied).toHaveLength(15);
        expect(copied[1]).toMatch(/^Grace H. <grace@example.com>\thttp.*token_hash=/);
        const downloading = page.waitForEvent("download");
        await page.getByRole("button", { name: "Download Links" }).click();
        expect((await downloading).suggestedFilename()).toBe("invitation-links.csv");
        await page.getByRole("link", { name: "Articles", exact: true }).click();
        await expect(page).toHaveURL("/articles");
      });
    });
  });

  test("Moderate on a card leads to the item on the operators' page, where it is unpublished and removed", async ({
    page,
    site,
  }) => {
    const member = await site.addMember({ full_name: "Ada Byron", username: "ada" });
    const author_id = member.id;
    const { id } = await site.add("articles", { author_id, title: "Pills", content: "x", published: true });
    await site.add("articles", { author_id, title: "Fine", content: "x", published: true });
    await page.goto("/articles");
    await page.getByRole("link", { name: "Moderate Pills" }).click();
    await expect(page).toHaveURL(`/admin?content=${id}#content`);
    const row = rowOf(page, "Content", "Pills");
    await expect(rowOf(page, "Content", "Article")).toHaveCount(1);
    await actOn(row, "Unpublish");
    await expect(row).toContainText("unpublished");
    await actOn(row, "Remove");
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await expect(row).toHaveCount(0);
    await expect(region(page, "Content")).toContainText('"Pills" was removed.');
    await expect(region(page, "Content").getByRole("link", { name: "Download a Copy" })).toBeVisible();
    await page.goto(`/profile/${author_id}`);
    await page.getByRole("link", { name: "Moderate" }).click();
    await expect(rowOf(page, "Members", member.email)).toContainText("Articles: 1");
    await site.add("articles", { author_id: operator.id, title: "Other", content: "x", published: true });
    await rowOf(page, "Members", member.email).getByRole("link", { name: "1 item" }).click();
    await expect(page.getByRole("searchbox", { name: "Search content" })).toHaveValue("@ada");
    await expect(rowOf(page, "Content", "")).toHaveCount(1);
    await expect(rowOf(page, "Content", "Fine")).toBeVisible();
  });

  test.describe("operators' requests that fail", () => {
    test.use({ expectedProblems: [/status of 4\d\d|ERR_FAILED/] });

    test("an action that fails or is rejected is reported and works when it is repeated, none waits for one on another member, and an hour after the sign-in, another one repeats all actions that were refused", async ({
      page,
      site,
    }) => {
      const [ada, grace] = [await site.addMember(), await site.addMember()];
      await site.add("articles", { author_id: ada.id, title: "Pills", content: "x", published: true });
      await page.goto("/admin");
      const rows = [rowOf(page, "Members", ada.email), rowOf(page, "Members", grace.email)] as const;
      const members = region(page, "Members");
      await test.step("a request that fails", async () => {
        await page.route("**/admin/v1/members/*/feature", (route) => route.abort());
        await actOn(rows[0], "Feature");
        await expect(members.getByRole("alert")).toContainText("The service is not responding.");
        await page.unroute("**/admin/v1/members/*/feature");
        await actOn(rows[0], "Feature");
        await expect(featured(rows[0])).toBeVisible();
        await expect(members.getByRole("alert")).toHaveCount(0);
        await actOn(rows[0], "Unfeature");
        await expect(featured(rows[0])).toHaveCount(0);
      });
      await test.step("a rejected request: the last operator cannot suspend themselves", async () => {
        await actOn(rowOf(page, "Members", operator.email), "Suspend");
        await page.getByRole("alertdialog").getByRole("button", { name: "Suspend" }).click();
        await expect(members.getByRole("alert")).toContainText("is the last operator of this site");
        await page.reload();
      });
      await test.step("two members at the same time", async () => {
        const held = await holdWrites(page, "**/admin/v1/members/*/feature");
        for (const row of rows) await actOn(row, "Feature");
        await expect(region(page, "Members")).toContainText(`Feature: ${ada.email}…`);
        held.release();
        for (const row of rows) await expect(featured(row)).toBeVisible();
        await expect(region(page, "Members").getByRole("button", { name: "Dismiss" })).toHaveCount(2);
        await page.unroute("**/admin/v1/members/*/feature");
      });
      await test.step("two regions that both need a new sign-in", async () => {
        await ageSessions(site);
        const released = Promise.withResolvers<void>();
        await page.route("**/admin/v1/{members/*/unfeature,content/unpublish}", async (route) => {
          await released.promise;
          await route.continue();
        });
        await actOn(rows[0], "Unfeature");
        await rowOf(page, "Content", "Pills").getByRole("button", { name: "Unpublish" }).click();
        const refused = Promise.all(
          ["unfeature", "unpublish"].map((name) =>
            page.waitForResponse((response) => response.url().endsWith(name)),
          ),
        );
        released.resolve();
        await refused;
        const dialog = page.getByRole("alertdialog", { name: "Sign In Again" });
        await expect(dialog.getByLabel("Password")).toBeFocused();
        await dialog.getByLabel("Password").fill(operator.password);
        await dialog.getByRole("button", { name: "Sign In" }).click();
        await expect(featured(rows[0])).toHaveCount(0);
        await expect(rowOf(page, "Content", "Pills")).toContainText("unpublished");
        await expect(dialog).toHaveCount(0);
      });
      await test.step("a wrong password can be corrected, and Cancel leaves the member as they were", async () => {
        await ageSessions(site);
        await page.unroute("**/admin/v1/{members/*/unfeature,content/unpublish}");
        const dialog = page.getByRole("alertdialog", { name: "Sign In Again" });
        await actOn(rows[0], "Feature");
        await dialog.getByLabel("Password").fill("wrong");
        await dialog.getByRole("button", { name: "Sign In" }).click();
        await expect(dialog.getByRole("alert")).toBeVisible();
        await dialog.getByLabel("Password").fill(operator.password);
        await dialog.getByRole("button", { name: "Sign In" }).click();
        await expect(featured(rows[0])).toBeVisible();
        await ageSessions(site);
        await actOn(rows[0], "Unfeature");
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await expect(dialog).toHaveCount(0);
        await expect(featured(rows[0])).toBeVisible();
      });
    });
  });

  test("the page has no accessibility problems and does not scroll sideways on a phone and on a desktop", async ({
    page,
    site,
  }) => {
    const member = await site.addMember({ full_name: `${"Long".repeat(30)} Name` });
    await site.add("articles", {
      author_id: member.id,
      title: "Title".repeat(60),
      content: "x",
      published: true,
    });
    await page.goto("/admin");
    await expect(rowOf(page, "Members", member.email)).toBeVisible();
    await expect(rowOf(page, "Content", "Title")).toBeVisible();
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    expect(await violations(page)).toEqual([]);
    await actOn(rowOf(page, "Members", member.email), "Remove");
    await expect(page.getByRole("alertdialog")).toBeVisible();
    expect(await violations(page), "with a dialog").toEqual([]);
  });
});
