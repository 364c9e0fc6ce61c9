import type { Browser, Page } from "@playwright/test";
import { violations } from "../../support/axe.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { hydrated } from "../../support/visiting.ts";

/** Returns the link in the last email to the address. Without a mail server, the site prints its emails. */
async function mailedLink({ output, url }: Site, email: string): Promise<string> {
  const find = () => {
    const start = output().lastIndexOf(`Email to ${email}: `);
    return start < 0 ? "" : (/https?:\S+token_hash=\S+/.exec(output().slice(start))?.[0] ?? "");
  };
  await expect.poll(find).not.toBe("");
  const { pathname, search } = new URL(find());
  return url + pathname + search;
}

async function askForEmail(page: Page, link: string, email: string): Promise<void> {
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Join Techfolio");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByRole("button", { name: "Send Invitation" }).click();
  await expect(page.getByRole("main")).toContainText(
    `We have sent an email to ${email}. Open the link in it to choose a password.`,
  );
}

/** Joins in a browser without scripts, apart from choosing the password. */
async function joinWith(browser: Browser, site: Site, link: string, email: string): Promise<void> {
  const plain = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await askForEmail(await plain.newPage(), link, email);
  await plain.close();
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(await mailedLink(site, email));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Welcome to Techfolio/);
  await expect(page.getByText(`For ${email}`)).toBeVisible();
  await page.getByLabel("Full Name").fill(`Person ${email.slice(0, 3)}`);
  await page.getByLabel("New password").fill("a long password");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Profile");
  await expect(page.getByLabel("Full Name")).toHaveValue(`Person ${email.slice(0, 3)}`);
  await context.close();
}

/** Joins with the requests that the pages send, because the first person has already used the pages. */
async function joinWithRequests({ request }: Page, site: Site, link: string, email: string): Promise<void> {
  const sent = await request.post(link, { form: { email } });
  expect(await sent.text()).toContain(`We have sent an email to ${email}.`);
  const token_hash = new URL(await mailedLink(site, email)).searchParams.get("token_hash");
  const joined = await request.post(`${site.url}/auth/v1/join`, {
    headers: { apikey: site.keys.anonKey },
    data: { token_hash, password: "a long password" },
  });
  expect(joined.status()).toBe(200);
}

test.use({ expectedProblems: [/404 \(Not Found\)|422 \(Unprocessable Entity\)/] });

test("an operator makes an invitation link, two people join with it, and it is then used up", async ({
  page,
  browser,
  site,
  signIn,
}) => {
  const operator = await site.addMember({ full_name: "Olga Operator" });
  await site.admin.auth.admin.updateUserById(operator.id, { app_metadata: { role: "operator" } });
  await signIn(operator);
  await page.goto("/admin");
  const region = page.getByRole("region", { name: "Invitation Links" });
  await region.getByLabel("People").fill("2");
  await region.getByLabel("Days").fill("7");
  await region.getByLabel("Email domains").fill("example.com");
  await region.getByRole("button", { name: "Create Link" }).click();
  await expect(region.getByRole("button", { name: "Copy" })).toBeVisible();
  const shown = await region.getByText(/\/join\//).innerText();
  const link = site.url + new URL(shown).pathname;
  const row = region.getByRole("listitem");
  await expect(row).toContainText("0 of 2");
  await expect(row).toContainText("example.com");
  await expect(row).toContainText("Last day: ");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await test.step("a second link hides no link that isn't copied yet, and leaving the page asks until all are copied", async () => {
    await region.getByRole("button", { name: "Create Link" }).click();
    const copyButtons = region.getByRole("button", { name: "Copy" });
    await expect(copyButtons).toHaveCount(2);
    await copyButtons.first().click();
    const articles = page.getByRole("banner").getByRole("link", { name: "Articles", exact: true });
    await articles.click();
    const dialog = page.getByRole("alertdialog", { name: "Link Not Copied" });
    await dialog.getByRole("button", { name: "Stay" }).click();
    await region.getByRole("button", { name: "Close" }).first().click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Close Link" }).click();
    await expect(copyButtons).toHaveCount(1);
    await copyButtons.click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
    await articles.click();
    await expect(page).toHaveURL("/articles");
    await page.goBack();
    await expect(row).toContainText("0 of 2");
  });
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect(await page.evaluate(overflow)).toBe(0);
  expect(await violations(page)).toEqual([]);

  await test.step("two people join", async () => {
    await joinWith(browser, site, link, "ada@example.com");
    await joinWithRequests(page, site, link, "bob@example.com");
  });

  await test.step("the operator sees who has joined, and the link is no longer valid", async () => {
    await page.reload();
    await expect(row).toContainText("2 of 2");
    await expect(region.getByText(/\/join\//)).toHaveCount(0);
    const log = page.getByRole("region", { name: "Log" });
    for (const email of ["ada@example.com", "bob@example.com"])
      await expect(log.getByText(`Member joined: ${email}`)).toBeVisible();
    await region.getByRole("button", { name: "Close" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Close Link" }).click();
    await expect(region.getByText("There is no open link.")).toBeVisible();
    await page.goto(link);
    await expect(page.getByText("This invitation link is no longer valid.")).toBeVisible();
  });
});

test("the page of a link keeps a rejected address, names the problem and fits a screen of 390 pixels", async ({
  page,
  site,
}) => {
  const { data } = await site.admin.rpc("create_invitation_link", {
    // The SHA-256 digest of "code".
    code_digest: "5694d08a2e53ffcae0c3103e5ad6f6076abd960eb1f8a56577040bc1028f702b",
    people: 2,
    days: 1,
    domains: ["example.org"],
  });
  expect(data).toHaveLength(1);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/join/code");
  await hydrated(page);
  expect(await violations(page)).toEqual([]);
  await page.getByLabel("Email", { exact: true }).fill("ada@example.com");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("This link is for addresses at example.org.");
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue("ada@example.com");
  expect(await violations(page)).toEqual([]);
});
