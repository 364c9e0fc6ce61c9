import { violations } from "../../support/axe.ts";
import { connectAdmin } from "../../support/data-dir.ts";
import { type Member, SESSION_KEY } from "../../support/members.ts";
import { actOn, rowOf } from "../../support/operators-page.ts";
import { ADA, BUTTON, testSingleSignOnSite } from "../../support/single-sign-on-site.ts";
import { expect } from "../../support/site.ts";
import { layoutShift, watchShifts } from "../../support/visiting.ts";

const test = testSingleSignOnSite("on");

test("a visitor signs in at the provider, sees their profile with their name, and is never asked for a password", async ({
  page,
  provider,
}) => {
  provider.setPerson(ADA);
  await page.goto("/profile");
  await page.getByRole("button", { name: BUTTON }).click();
  await expect(page.getByLabel("Full Name")).toHaveValue("Ada Marlowe");
  expect(new URL(page.url()).search + new URL(page.url()).hash).toBe("");
  await expect(page.getByRole("heading", { name: "Your Content" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Password" })).toBeHidden();
  await page.reload();
  await expect(page.getByLabel("Full Name")).toHaveValue("Ada Marlowe");
});

test("a member with a password who signs in at the provider keeps the form for changing it", async ({
  page,
  provider,
  site,
}) => {
  const member: Member = await site.addMember({ full_name: "Own Name" });
  provider.setPerson({ ...ADA, sub: member.id, email: member.email });
  await page.goto("/profile");
  await page.getByRole("button", { name: BUTTON }).click();
  await expect(page.getByLabel("Full Name")).toHaveValue("Own Name");
  await expect(page.getByRole("heading", { name: "Password" })).toBeVisible();
});

for (const order of ["the first", "the second"]) {
  test(`two tabs that sign in at the same time both succeed if ${order} ends first`, async ({
    page,
    context,
    provider,
  }) => {
    provider.setPerson(ADA);
    const other = await context.newPage();
    const [early, late] = order === "the first" ? [page, other] : [other, page];
    // Both callbacks wait until both tabs are at the provider. After a sign-in in one tab, the other has no button.
    const gates = new Map([page, other].map((tab) => [tab, Promise.withResolvers<void>()] as const));
    for (const [tab, gate] of gates) {
      await tab.route(/\/auth\/v1\/callback/, async (route) => {
        await gate.promise;
        await route.continue();
      });
      await tab.goto("/profile");
      await expect(tab.getByRole("button", { name: BUTTON })).toBeEnabled();
    }
    for (const tab of gates.keys()) {
      const arrived = tab.waitForRequest(/\/auth\/v1\/callback/);
      await tab.getByRole("button", { name: BUTTON }).click();
      await arrived;
    }
    for (const tab of [early, late]) {
      gates.get(tab)?.resolve();
      await expect(tab.getByLabel("Full Name")).toHaveValue("Ada Marlowe");
    }
    await late.reload();
    await expect(late.getByLabel("Full Name")).toHaveValue("Ada Marlowe");
  });
}

test("a person of another domain or with an unverified address sees the reason on the sign-in form", async ({
  page,
  provider,
}) => {
  for (const [sub, changes, sentence] of [
    ["other", { email: "ada@example.org" }, "Your email address can't be used to sign in here."],
    ["unverified", { email_verified: false }, /^Your email address isn't verified\./],
  ] as const) {
    provider.setPerson({ ...ADA, sub, ...changes });
    await page.goto("/profile");
    await page.getByRole("button", { name: BUTTON }).click();
    await expect(page.getByRole("alert")).toHaveText(sentence);
    await expect(page.getByLabel("Email address")).toBeVisible();
    expect(page.url()).toBe(new URL("/profile", page.url()).href);
    // The provider remembers who signed in.
    await page.context().clearCookies();
  }
});

test.describe("a link with a made-up code", () => {
  test.use({ expectedProblems: [/verify\/preview/] });
  test("doesn't sign the member in, or out", async ({ page, site, signIn }) => {
    const member = await site.addMember({ full_name: "Own Name" });
    await page.goto("/profile?code=an-attackers-code");
    await expect(page.getByRole("alert")).toBeVisible();
    await signIn(member);
    await page.goto("/profile?code=an-attackers-code");
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await page.getByRole("button", { name: "Close" }).click();
    await expect(page.getByLabel("Full Name")).toHaveValue("Own Name");
  });
});

test("the sign-in form doesn't move while the page becomes interactive, and axe finds no violations", async ({
  page,
}) => {
  await watchShifts(page);
  await page.goto("/profile");
  await expect(page.getByRole("button", { name: BUTTON })).toBeEnabled();
  expect(await layoutShift(page)).toBe(0);
  expect(await violations(page)).toEqual([]);
});

test.describe("an operator without a password", () => {
  test.use({ expectedProblems: [/403 \(Forbidden\)/] });

  test("signs in again at the provider before a change, and is not asked for a password", async ({
    page,
    provider,
    site,
  }) => {
    provider.setPerson({ ...ADA, sub: "olga", email: "olga@example.com", name: "Olga Operator" });
    await page.goto("/profile");
    await page.getByRole("button", { name: BUTTON }).click();
    await expect(page.getByLabel("Full Name")).toHaveValue("Olga Operator");
    const database = await connectAdmin(site.dataDir);
    await database.query(
      `update auth.users set raw_app_meta_data = raw_app_meta_data || '{"role": "operator"}'
       where email = 'olga@example.com'`,
    );
    await database.query("update auth.sessions set created_at = created_at - interval '2 hours'");
    await database.end();

    const row = rowOf(page, "Members", "olga@example.com");
    await page.goto("/admin");
    await actOn(row, "Feature");
    const dialog = page.getByRole("alertdialog", { name: "Sign In Again" });
    await expect(dialog.getByLabel("Password")).toHaveCount(0);
    const readSession = () => page.evaluate((key) => localStorage.getItem(key), SESSION_KEY);
    const before = await readSession();
    await dialog.getByRole("button", { name: BUTTON }).click();
    await expect(page.getByLabel("Full Name")).toHaveValue("Olga Operator");
    // The earlier session can already show the profile.
    await expect.poll(readSession).not.toBe(before);
    await page.goto("/admin");
    await actOn(row, "Feature");
    await expect(row.getByText("featured", { exact: true })).toBeVisible();
  });
});
