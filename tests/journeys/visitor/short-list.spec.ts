import type { Page } from "@playwright/test";
import type { Member } from "../../support/members.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { expectTitles, holdScripts } from "../../support/visiting.ts";

// A list that fits on one page must change in a single step, without a half-updated state or duplicate cards.

const ITEMS = 24;
const titleOf = (number: number) => `Link ${String(number).padStart(2, "0")}`;

async function addMemberWithLinks(site: Site): Promise<Member> {
  const member = await site.addMember();
  const rows = Array.from({ length: ITEMS }, (_, index) => ({
    profile_id: member.id,
    title: titleOf(index + 1),
    url: "https://example.com/",
    category: (index + 1) % 8 === 0 ? "Eighth" : "Other",
    created_at: new Date(Date.UTC(2026, 2, index + 1)).toISOString(),
  }));
  await site.admin.from("useful_links").insert(rows).throwOnError();
  return member;
}

/** Records the titles that the list shows each time they change. */
async function watchStates(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const states: string[] = [];
    Object.assign(window, { states });
    const recordState = () => {
      const titles = [...document.querySelectorAll("article h2")].map((heading) => heading.textContent);
      const state = titles.join(", ");
      if (state !== states.at(-1)) states.push(state);
    };
    addEventListener("DOMContentLoaded", () => {
      recordState();
      new MutationObserver(recordState).observe(document, {
        childList: true,
        subtree: true,
        characterData: true,
      });
    });
  });
}

const statesOf = (page: Page) => page.evaluate(() => (window as unknown as { states: string[] }).states);

const all = Array.from({ length: ITEMS }, (_, index) => titleOf(index + 1));
const newest = all.toReversed().join(", ");
const oldest = all.join(", ");
const eighths = [titleOf(8), titleOf(16), titleOf(24)];

const textField = (page: Page) => page.getByRole("searchbox", { name: "Search", exact: true });

/** Sorts and searches, and expects one list state per change. The caller must already have searched for "eighth". */
async function searchAndSort(page: Page): Promise<void> {
  const text = textField(page);
  const sort = page.getByLabel("Sort");
  await expectTitles(page).toEqual(eighths.toReversed());
  await sort.selectOption("asc");
  await expectTitles(page).toEqual(eighths);
  await text.fill("");
  await expectTitles(page).toEqual(all);
  await sort.selectOption("desc");
  await expectTitles(page).toEqual(all.toReversed());
  await text.fill("EIGHTH");
  await expectTitles(page).toEqual(eighths.toReversed());
  expect(await statesOf(page)).toEqual([
    newest,
    eighths.toReversed().join(", "),
    eighths.join(", "),
    oldest,
    newest,
    eighths.toReversed().join(", "),
  ]);
}

test("a short list changes in one step for a visitor who types a search before and after hydration", async ({
  page,
  site,
}) => {
  await addMemberWithLinks(site);
  await watchStates(page);
  const deliver = await holdScripts(page);
  await page.goto("/useful-links", { waitUntil: "commit" });
  await expectTitles(page).toEqual(all.toReversed());
  await textField(page).fill("eighth");
  await expect.poll(() => statesOf(page)).toEqual([newest]);
  deliver();
  await searchAndSort(page);
});

test("a short list changes in one step for a member who searches", async ({ page, site, signIn }) => {
  await signIn(await addMemberWithLinks(site));
  await watchStates(page);
  await page.goto("/useful-links");
  await expect(page.getByRole("heading", { name: "Add New Link" })).toBeVisible();
  await textField(page).fill("eighth");
  await expectTitles(page).toEqual(eighths.toReversed());
  await page.getByLabel("Sort").selectOption("asc");
  await expectTitles(page).toEqual(eighths);
  expect(await statesOf(page)).toEqual([newest, eighths.toReversed().join(", "), eighths.join(", ")]);
});
