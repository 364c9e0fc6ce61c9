import { afterAll, expect, test } from "vitest";
import { itemPath } from "../../common/data/addresses.ts";
import { HOSTILE_TEXT } from "../support/hostile-text.ts";
import { SITE, startTestApp } from "../support/test-app.ts";

const CREATED = "2026-03-05T12:00:00.5+00:00";
const UPDATED = "2026-04-05T12:00:00+00:00";
const WEBSITE = { "@type": "WebSite", name: "Techfolio.com", url: `${SITE}/` };
const AUTHOR = { "@type": "Person", name: HOSTILE_TEXT, url: `${SITE}/profile/ada` };

const site = await startTestApp();
const author = await site.addMember({
  username: "ada",
  full_name: HOSTILE_TEXT,
  bio: HOSTILE_TEXT,
  avatar_url: "/ada.png",
  linkedin_url: "https://linkedin.example/ada",
  current_title: "Analyst",
  company: "Engines & Co",
  updated_at: UPDATED,
});
for (const [name, proficiency] of [
  ["Joins", 3],
  ["Windows", 5],
]) {
  await site.add("skills", { profile_id: author, category: "sql", name, proficiency });
}
afterAll(() => site.stop());

/** Returns the JSON-LD of a page. Fails unless the page has exactly one JSON-LD script. */
async function jsonLdOf(path: string): Promise<unknown> {
  const page = await site.eventually(path);
  const scripts = [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  expect(scripts).toHaveLength(1);
  return JSON.parse(scripts[0]?.[1] ?? "");
}

test("an article's JSON-LD is a TechArticle with every field", async () => {
  const id = await site.add("articles", {
    author_id: author,
    title: HOSTILE_TEXT,
    content: "# Heading\n\nFirst *words* of [it](/x).\n\n```\ncode\n```",
    published: true,
    created_at: CREATED,
  });
  await site.admin.query("alter table public.articles disable trigger user");
  await site.admin.query("update public.articles set updated_at = $1", [UPDATED]);
  await site.admin.query("alter table public.articles enable trigger user");
  const url = SITE + itemPath({ path: "/articles" }, { id, title: HOSTILE_TEXT });
  expect(await jsonLdOf(`/articles/${id}`)).toEqual({
    "@context": "https://schema.org",
    "@type": "TechArticle",
    "@id": url,
    url,
    mainEntityOfPage: url,
    headline: HOSTILE_TEXT,
    description: "Heading First words of it.",
    image: `${url.replace("/articles/", "/cards/articles/")}.png`,
    datePublished: CREATED,
    dateModified: UPDATED,
    author: AUTHOR,
    isPartOf: WEBSITE,
  });
});

test("a useful link's JSON-LD is a WebPage that is about the linked page", async () => {
  const id = await site.add("useful_links", {
    profile_id: author,
    title: HOSTILE_TEXT,
    url: "https://docs.example/a b",
    description: "Two\n lines",
    category: "Reading",
    created_at: CREATED,
  });
  const url = SITE + itemPath({ path: "/useful-links" }, { id, title: HOSTILE_TEXT });
  expect(await jsonLdOf(`/useful-links/${id}`)).toEqual({
    "@context": "https://schema.org",
    "@type": "WebPage",
    "@id": url,
    url,
    name: HOSTILE_TEXT,
    description: "Two lines",
    keywords: "Reading",
    datePublished: CREATED,
    author: AUTHOR,
    about: { "@type": "WebPage", name: HOSTILE_TEXT, url: "https://docs.example/a%20b" },
    isPartOf: WEBSITE,
  });
});

test("a code sample's JSON-LD is a SoftwareSourceCode with every field", async () => {
  const id = await site.add("code_samples", {
    profile_id: author,
    title: HOSTILE_TEXT,
    language: "javascript",
    code_content: "x",
    created_at: CREATED,
  });
  const url = SITE + itemPath({ path: "/sample-code" }, { id, title: HOSTILE_TEXT });
  const page = await jsonLdOf(`/sample-code/${id}`);
  expect(page).toEqual({
    "@context": "https://schema.org",
    "@type": "SoftwareSourceCode",
    "@id": url,
    url,
    mainEntityOfPage: url,
    name: HOSTILE_TEXT,
    description: `${HOSTILE_TEXT}, by ${HOSTILE_TEXT}`,
    programmingLanguage: "JavaScript",
    codeSampleType: "code snippet",
    datePublished: CREATED,
    dateModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    author: AUTHOR,
    isPartOf: WEBSITE,
  });
});

test("a person's JSON-LD is a ProfilePage with every filled field, and 'Unnamed member' replaces a missing name", async () => {
  const url = `${SITE}/profile/ada`;
  expect(await jsonLdOf("/profile/ada")).toEqual({
    "@context": "https://schema.org",
    "@type": "ProfilePage",
    "@id": url,
    url,
    dateModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    mainEntity: {
      "@type": "Person",
      name: HOSTILE_TEXT,
      url,
      alternateName: "ada",
      description: HOSTILE_TEXT,
      image: `${SITE}/ada.png`,
      jobTitle: "Analyst",
      worksFor: { "@type": "Organization", name: "Engines & Co" },
      sameAs: "https://linkedin.example/ada",
      knowsAbout: ["Windows", "Joins"],
    },
    isPartOf: WEBSITE,
  });
  const emptyMember = await site.addMember();
  expect(await jsonLdOf(`/profile/${emptyMember}`)).toMatchObject({
    mainEntity: { "@type": "Person", name: "Unnamed member", url: `${SITE}/profile/${emptyMember}` },
  });
});
