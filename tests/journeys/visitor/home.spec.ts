import type { Page } from "@playwright/test";
import { expect, type Site, test } from "../../support/site.ts";
import { cardOf } from "../../support/visiting.ts";

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

test("on an empty site, the home page shows first steps, and a sentence in each empty list", async ({
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
    "Create New Article",
    "Add New Link",
    "Add New Code Sample",
  ]);
  await expect(panel(page, "Latest Articles")).toContainText("No articles published yet.");
  await expect(panel(page, "Latest Useful Links")).toContainText("No useful links yet.");
  await expect(panel(page, "Latest Code Samples")).toContainText("No code samples yet.");
});

test("the home page shows the three featured professionals with the most experience", async ({
  page,
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
  await page.goto("/");
  await expect(panel(page, "Featured Professionals").getByRole("heading", { level: 3 })).toHaveText([
    "Twenty Years",
    "Twelve Years",
    "Seven Years",
  ]);
  await expect(panel(page, "Featured Professionals")).not.toContainText("No featured professionals yet.");
});

test("a featured professional without a full name is shown with their username, years of experience, title in lowercase, and skills sorted by proficiency", async ({
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
});

test("a featured professional who left the years of experience empty is shown with the title alone", async ({
  page,
  site,
}) => {
  await site.addMember({ full_name: "Ada", current_title: "Data Engineer", featured: true });
  await page.goto("/");
  const featured = panel(page, "Featured Professionals");
  await expect(featured.getByText("Data Engineer", { exact: true })).toBeVisible();
  await expect(featured).not.toContainText("years");
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

for (const scheme of ["light", "dark"] as const) {
  test(`in ${scheme} mode, skill chips are colored by category`, async ({ page, site }) => {
    const { id } = await site.addMember({ full_name: "Ada", years_experience: 1, featured: true });
    await Promise.all(
      (["python", "sql", "aws", "tools"] as const).map((category) =>
        site.add("skills", {
          profile_id: id,
          category,
          name: `${category}-skill`,
          proficiency: 3,
          years_experience: 1,
        }),
      ),
    );
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto("/");
    const hue = async (category: string) => {
      const chip = panel(page, "Featured Professionals").getByText(`${category}-skill`);
      return hueOf(await chip.evaluate((element) => getComputedStyle(element).backgroundColor));
    };
    const [python, sql, aws, tools] = [
      await hue("python"),
      await hue("sql"),
      await hue("aws"),
      await hue("tools"),
    ];
    for (const { saturation } of [python, sql, aws, tools]) expect(saturation).toBeGreaterThan(0.25);
    expect(python.hue).toBeGreaterThan(95);
    expect(python.hue).toBeLessThan(165);
    expect(sql.hue).toBeGreaterThan(195);
    expect(sql.hue).toBeLessThan(250);
    expect(aws.hue).toBeGreaterThan(18);
    expect(aws.hue).toBeLessThan(45);
    expect((tools.hue + 180) % 360).toBeGreaterThan(165);
    expect((tools.hue + 180) % 360).toBeLessThan(195);
  });
}

async function addArticles(site: Site): Promise<void> {
  const { id } = await site.addMember({ username: "ada", full_name: "Ada Lovelace" });
  for (const [number, published] of [true, true, true, true, false].entries()) {
    const title = `${published ? "Article" : "Draft"} ${number}`;
    await site.add("articles", {
      author_id: id,
      title,
      content: "Text.",
      published,
      created_at: atMinute(number),
    });
  }
}

test("the home page shows the three newest published articles", async ({ page, site }) => {
  await addArticles(site);
  await page.goto("/");
  const latest = panel(page, "Latest Articles");
  await expect(latest.getByRole("heading", { level: 3 })).toHaveText(["Article 3", "Article 2", "Article 1"]);
  await expect(latest.getByText("By Ada Lovelace", { exact: true })).toHaveCount(3);
  await expect(latest.getByText("Mar 5, 2026")).toHaveCount(3);
  await expect(latest).not.toContainText("Draft");
});

test("an article's excerpt consists of its first 150 characters of Markdown, followed by three dots", async ({
  page,
  site,
}) => {
  const { id } = await site.addMember({ username: "ada" });
  const long = `# Heading **bold** ${"0123456789".repeat(20)}`;
  for (const [title, content] of [
    ["Long", long],
    ["Short", "Just this."],
  ] as const) {
    await site.add("articles", { author_id: id, title, content, published: true });
  }
  await page.goto("/");
  const latest = panel(page, "Latest Articles");
  await expect(latest.getByText(`${long.slice(0, 150)}...`, { exact: true })).toBeVisible();
  await expect(latest.getByText("Just this....", { exact: true })).toBeVisible();
  await expect(latest.getByText("By ada", { exact: true })).toHaveCount(2);
});

async function addTwelveOfEach(site: Site) {
  const { id } = await site.addMember({ username: "ada" });
  const numbers = Array.from({ length: 12 }, (_, number) => number);
  const [links, samples] = await Promise.all([
    Promise.all(
      numbers.map((number) =>
        site.add("useful_links", {
          profile_id: id,
          title: `Link ${number}`,
          url: "https://example.com",
          category: "Docs",
          created_at: atMinute(number),
        }),
      ),
    ),
    Promise.all(
      numbers.map((number) =>
        site.add("code_samples", {
          profile_id: id,
          title: `Sample ${number}`,
          language: "python",
          code_content: "print(1)",
          created_at: atMinute(number),
        }),
      ),
    ),
  ]);
  return { links, samples };
}

const newestTen = (word: string) =>
  Array.from({ length: 10 }, (_, index) => new RegExp(`^${word} ${11 - index}\\b`));

test("the home page lists the ten latest links and the ten latest samples, newest first", async ({
  page,
  site,
}) => {
  await addTwelveOfEach(site);
  await page.goto("/");
  await expect(panel(page, "Latest Useful Links").getByRole("listitem")).toHaveText(newestTen("Link"), {
    useInnerText: true,
  });
  await expect(panel(page, "Latest Code Samples").getByRole("listitem")).toHaveText(newestTen("Sample"), {
    useInnerText: true,
  });
});

test("the latest links and samples on the home page are in boxes of fixed height that scroll with the keyboard", async ({
  page,
  site,
}) => {
  const { links } = await addTwelveOfEach(site);
  await page.goto("/");
  for (const name of ["Latest Useful Links", "Latest Code Samples"]) {
    const box = panel(page, name).getByRole("list");
    const [inner, outer] = await box.evaluate(({ scrollHeight, clientHeight }) => [
      scrollHeight,
      clientHeight,
    ]);
    expect(inner).toBeGreaterThan(outer ?? 0);
    await box.focus();
    await page.keyboard.press("End");
    await expect.poll(() => box.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  }
  const full = await panel(page, "Latest Useful Links").getByRole("list").boundingBox();
  const rest = links.slice(1).map(({ id }) => id);
  await site.admin.from("useful_links").delete().in("id", rest).throwOnError();
  await page.reload();
  await expect(panel(page, "Latest Useful Links").getByRole("listitem")).toHaveCount(1);
  const single = await panel(page, "Latest Useful Links").getByRole("list").boundingBox();
  expect(single?.height).toBe(full?.height);
});

test("the latest links and samples on the home page link to their cards in the lists", async ({
  page,
  site,
}) => {
  const { links, samples } = await addTwelveOfEach(site);
  const [link, sample] = [links[4], samples[6]];
  if (!link || !sample) throw new Error("The rows were not added");

  await page.goto("/");
  await panel(page, "Latest Useful Links")
    .getByRole("link", { name: /^Link 4\b/ })
    .click();
  await expect(page).toHaveURL(`/useful-links#${link.id}`);
  await expect(cardOf(page, link.id)).toBeInViewport();

  await page.goto("/");
  await panel(page, "Latest Code Samples")
    .getByRole("link", { name: /^Sample 6\b/ })
    .click();
  await expect(page).toHaveURL(`/sample-code#${sample.id}`);
  await expect(cardOf(page, sample.id)).toBeInViewport();
});

test("publishing or unpublishing an article changes the home page for the next visit", async ({
  page,
  site,
}) => {
  await page.goto("/");
  await expect(panel(page, "Latest Articles")).toContainText("No articles published yet.");
  const { id } = await site.addMember({ username: "ada" });
  const article = await site.add("articles", {
    author_id: id,
    title: "Fresh",
    content: "x",
    published: true,
  });
  await page.reload();
  await expect(panel(page, "Latest Articles").getByRole("heading", { level: 3 })).toHaveText(["Fresh"]);
  await site.admin.from("articles").update({ published: false }).eq("id", article.id).throwOnError();
  await page.reload();
  await expect(panel(page, "Latest Articles")).toContainText("No articles published yet.");
});
