import type { Page } from "@playwright/test";
import { KINDS } from "../../../common/kinds/index.ts";
import { violations } from "../../support/axe.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { headingsIn } from "../../support/visiting.ts";

const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const atMinute = (number: number) => new Date(Date.UTC(2026, 2, 5, 12, number)).toISOString();

function hueOf(color: string): { hue: number; saturation: number } {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => Number(part) / 255);
  const [low, high] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  const range = high - low;
  if (range === 0) return { hue: 0, saturation: 0 };
  const sector =
    high === red
      ? (green - blue) / range
      : high === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range;
  return { hue: (sector * 60 + 360) % 360, saturation: range / (1 - Math.abs(high + low - 1)) };
}

test("on an empty site, the home page shows first steps and a sentence in each empty list, and axe finds no accessibility violations", async ({
  page,
}) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Our Tech Expertise");
  await expect(
    page.getByText(
      "A platform for professionals to highlight their Python, SQL, and AWS skills through portfolios, sample code, and knowledge sharing.",
      { exact: true },
    ),
  ).toBeVisible();
  for (const name of ["SQL Mastery", "Python Excellence", "AWS Expertise"]) {
    await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
  }
  await expect(panel(page, "Featured Professionals")).toContainText("No featured professionals yet.");
  await expect(panel(page, "First Steps").getByRole("link")).toHaveText([
    "Fill in your profile",
    ...KINDS.map(({ texts }) => texts.createHeading),
  ]);
  for (const { texts } of KINDS) await expect(panel(page, texts.latest)).toContainText(texts.noItems);
  await expect(panel(page, "Latest Articles").getByRole("link", { name: "All articles" })).toHaveAttribute(
    "href",
    "/articles",
  );
  expect(await violations(page)).toEqual([]);
});

test("the home page shows the three featured professionals with the most experience", async ({
  request,
  site,
}) => {
  await Promise.all(
    [
      { full_name: "Three Years", years_experience: 3, featured: true },
      { full_name: "Twenty Years", years_experience: 20, featured: true },
      { full_name: "Seven Years", years_experience: 7, featured: true },
      { full_name: "Twelve Years", years_experience: 12, featured: true },
      { full_name: "Thirty Years", years_experience: 30, featured: false },
      { full_name: "No Years", featured: true },
    ].map((profile) => site.addMember(profile)),
  );
  const html = await (await request.get("/")).text();
  expect(headingsIn(html, 3).filter((heading) => heading.endsWith(" Years"))).toEqual([
    "Twenty Years",
    "Twelve Years",
    "Seven Years",
  ]);
  expect(html).not.toContain("No featured professionals yet.");
});

test("a featured professional without a full name is shown with their username, years of experience, title in lowercase, and skills sorted by proficiency and colored by category", async ({
  page,
  site,
}) => {
  const { id } = await site.addMember({
    username: "ada",
    full_name: "",
    current_title: "Senior DATA Engineer",
    company: "Analytical Engines",
    years_experience: 12,
    featured: true,
  });
  for (const [category, name, proficiency] of [
    ["python", "pandas", 3],
    ["sql", "PostgreSQL", 5],
    ["aws", "Lambda", 1],
    ["tools", "Docker", 4],
  ] as const) {
    await site.add("skills", { profile_id: id, category, name, proficiency, years_experience: 2 });
  }
  await page.goto("/");
  const featured = panel(page, "Featured Professionals");
  await expect(featured.getByRole("heading", { level: 3 })).toHaveText("ada");
  await expect(featured).toContainText("12+ years in senior data engineer");
  await expect(featured.getByText(/^\S+ ?\d\/5$/)).toHaveText([
    "PostgreSQL 5/5",
    "Docker 4/5",
    "pandas 3/5",
    "Lambda 1/5",
  ]);

  await test.step("without years of experience, the title is shown alone", async () => {
    const changed = { current_title: "Data Engineer", company: null, years_experience: null };
    await site.admin.from("profiles").update(changed).eq("id", id).throwOnError();
    await page.reload();
    await expect(featured.getByText("Data Engineer", { exact: true })).toBeVisible();
    await expect(featured).not.toContainText("years");
  });

  await test.step("each category has its own color, in light and in dark mode", async () => {
    const hue = async (skill: string) =>
      hueOf(await featured.getByText(skill).evaluate((element) => getComputedStyle(element).backgroundColor));
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const [python, sql, aws, tools] = [
        await hue("pandas"),
        await hue("PostgreSQL"),
        await hue("Lambda"),
        await hue("Docker"),
      ];
      for (const { saturation } of [python, sql, aws, tools])
        expect(saturation, colorScheme).toBeGreaterThan(0.25);
      expect(python.hue).toBeGreaterThan(95);
      expect(python.hue).toBeLessThan(165);
      expect(sql.hue).toBeGreaterThan(195);
      expect(sql.hue).toBeLessThan(250);
      expect(aws.hue).toBeGreaterThan(18);
      expect(aws.hue).toBeLessThan(45);
      expect((tools.hue + 180) % 360).toBeGreaterThan(165);
      expect((tools.hue + 180) % 360).toBeLessThan(195);
    }
  });
});

test("the home page does not send fields of profiles and skills that it neither shows nor links with, such as featured skills", async ({
  request,
  site,
}) => {
  const { id } = await site.addMember({
    full_name: "Ada",
    username: "countess",
    years_experience: 12,
    featured: true,
    featured_skills: ["difference engines"],
  });
  await site.add("skills", {
    profile_id: id,
    category: "sql",
    name: "joins",
    proficiency: 5,
    years_experience: 79,
  });
  for (const address of ["/", "/_.data"]) {
    const sent = await (await request.get(address)).text();
    expect(sent).toContain("joins");
    // The page must contain the username, which is part of the URL of the professional's own page.
    expect(sent).toContain("countess");
    for (const hidden of ["difference engines", "featured_skills", "profile_id", "updated_at"]) {
      expect(sent, address).not.toContain(hidden);
    }
  }
});

const LONG = `# Heading **bold** ${"0123456789".repeat(20)}`;

async function addArticles(site: Site): Promise<void> {
  const { id } = await site.addMember({ username: "lovelace", full_name: "Ada Lovelace" });
  for (const [number, published] of [true, true, true, true, false].entries()) {
    const title = `${published ? "Article" : "Draft"} ${number}`;
    await site.add("articles", {
      author_id: id,
      title,
      content: number === 3 ? LONG : "Just this.",
      published,
      created_at: atMinute(number),
    });
  }
}

async function addTwelveOfEach(site: Site) {
  const { id } = await site.addMember({ username: "ada" });
  const rows = Array.from({ length: 12 }, (_, number) => ({ number, created_at: atMinute(number) }));
  const { data: links } = await site.admin
    .from("useful_links")
    .insert(
      rows.map(({ number, created_at }) => ({
        profile_id: id,
        title: `Link ${number}`,
        url: "https://example.com",
        category: "Docs",
        created_at,
      })),
    )
    .select("id")
    .throwOnError();
  const { data: samples } = await site.admin
    .from("code_samples")
    .insert(
      rows.map(({ number, created_at }) => ({
        profile_id: id,
        title: `Sample ${number}`,
        language: "python",
        code_content: "print(1)",
        created_at,
      })),
    )
    .select("id")
    .throwOnError();
  return { links, samples };
}

const newestTen = (word: string) =>
  Array.from({ length: 10 }, (_, index) => new RegExp(`^${word} ${11 - index}\\b`));

test("the home page shows the three newest published articles with the first 150 characters of their Markdown, and lists the ten latest links and samples, newest first, in boxes of fixed height that scroll with the keyboard, and links to their cards", async ({
  page,
  site,
}) => {
  const { links, samples } = await addTwelveOfEach(site);
  await addArticles(site);
  const boxOf = (name: string) => panel(page, name).getByRole("list");
  await page.goto("/");
  await test.step("the three newest published articles", async () => {
    const latest = panel(page, "Latest Articles");
    await expect(latest.getByRole("heading", { level: 3 })).toHaveText([
      "Article 3",
      "Article 2",
      "Article 1",
    ]);
    await expect(latest.getByText("By Ada Lovelace", { exact: true })).toHaveCount(3);
    await expect(latest.getByText("Mar 5, 2026")).toHaveCount(3);
    await expect(latest).not.toContainText("Draft");
    await expect(latest.getByText(`${LONG.slice(0, 150)}...`, { exact: true })).toBeVisible();
    await expect(latest.getByText("Just this....", { exact: true })).toHaveCount(2);
  });
  for (const [name, word] of [
    ["Latest Useful Links", "Link"],
    ["Latest Code Samples", "Sample"],
  ] as const) {
    await test.step(name, async () => {
      await expect(panel(page, name).getByRole("listitem")).toHaveText(newestTen(word), {
        useInnerText: true,
      });
      const [inner, outer] = await boxOf(name).evaluate(({ scrollHeight, clientHeight }) => [
        scrollHeight,
        clientHeight,
      ]);
      expect(inner).toBeGreaterThan(outer ?? 0);
      await boxOf(name).focus();
      await page.keyboard.press("End");
      await expect.poll(() => boxOf(name).evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
    });
  }
  const full = await boxOf("Latest Useful Links").boundingBox();

  for (const [name, link, address] of [
    ["Latest Useful Links", /^Link 4\b/, `/useful-links#${links[4]?.id}`],
    ["Latest Code Samples", /^Sample 6\b/, `/sample-code#${samples[6]?.id}`],
  ] as const) {
    await expect(panel(page, name).getByRole("link", { name: link })).toHaveAttribute("href", address);
  }

  await test.step("a box with a single link has the same height", async () => {
    const rest = links.slice(1).map(({ id }) => id);
    await site.admin.from("useful_links").delete().in("id", rest).throwOnError();
    await page.goto("/");
    await expect(panel(page, "Latest Useful Links").getByRole("listitem")).toHaveCount(1);
    expect((await boxOf("Latest Useful Links").boundingBox())?.height).toBe(full?.height);
  });
});

test("publishing or unpublishing an article changes the home page for the next visit", async ({
  request,
  site,
}) => {
  const homePage = async () => (await request.get("/")).text();
  const EMPTY = "No articles published yet.";
  expect(await homePage()).toContain(EMPTY);
  const { id } = await site.addMember({ username: "ada" });
  const article = await site.add("articles", {
    author_id: id,
    title: "Fresh",
    content: "x",
    published: true,
  });
  const published = await homePage();
  expect(published).toMatch(/<h3[^>]*>(<[^>]*>)*Fresh</);
  expect(published).not.toContain(EMPTY);
  await site.admin.from("articles").update({ published: false }).eq("id", article.id).throwOnError();
  expect(await homePage()).toContain(EMPTY);
});
