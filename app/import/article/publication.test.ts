import { expect, test } from "vitest";
import { readArticle } from "./read-article.ts";

const NOW = new Date("2026-06-15T12:00:00Z");

function readFields(lines: string, path = "posts/a.md") {
  const text = `---\ntitle: A\ndate: 2020-01-02\n${lines}\n---\nText`;
  const { fields, unpublishedReason } = readArticle(text, path, NOW, NOW);
  expect(fields["published"]).toBe(unpublishedReason === null);
  return unpublishedReason;
}

test.each([
  "draft: false",
  "draft:",
  "published: true",
  "publish: yes",
  "published: 2020-01-02",
  "published_at: 2020-01-02T03:04:05Z",
  "status: published",
  "status: publish\npassword: ''",
  "visibility: public",
  "audience: everyone",
  "isDraft: 'false'",
  "publishDate: 2020-01-02\nexpiryDate:",
  "expiryDate: 2030-01-01",
  "build:\n  render: always",
  "permalink: /a/",
  "tags: [drafting, private-cloud]",
])("an article with the front matter %j is published", (lines) => {
  expect(readFields(lines)).toBeNull();
});

test.each([
  // Fields of Jekyll, DEV, Obsidian Publish and Digital Garden.
  ["published: false", "published: false"],
  ["publish: false", "publish: false"],
  ["dg-publish: false", "dg-publish: false"],
  ["published:", "published: (empty)"],
  ["published: soon", "published: soon"],
  // Fields of Hugo, Astro, Eleventy, Docusaurus and Hashnode.
  ["draft: true", "draft: true"],
  ["draft: maybe", "draft: maybe"],
  ["isDraft: true", "isDraft: true"],
  ["is_draft: 1", "is_draft: 1"],
  ["saveAsDraft: true", "saveAsDraft: true"],
  ["ignorePost: true", "ignorePost: true"],
  ["unlisted: true", "unlisted: true"],
  ["headless: true", "headless: true"],
  ["build:\n  list: never", 'build: {"list":"never"}'],
  ["eleventyExcludeFromCollections: true", "eleventyExcludeFromCollections: true"],
  ["permalink: false", "permalink: false"],
  ["tags:\n  - draft", 'tags: ["draft"]'],
  ["draft: [a]", 'draft: ["a"]'],
  // Fields of Ghost, WordPress, Tumblr, Nikola and Substack.
  ["status: scheduled", "status: scheduled"],
  ["status: sent", "status: sent"],
  ["status: pending", "status: pending"],
  ["post_status: private", "post_status: private"],
  ["state: queued", "state: queued"],
  ["status: in review", "status: in review"],
  ["visibility: members", "visibility: members"],
  ["visibility: paid", "visibility: paid"],
  ["audience: only_paid", "audience: only_paid"],
  ["password: hunter2", "password: hunter2"],
  ["members-only: true", "members-only: true"],
  // Fields with dates.
  ["publishDate: 2026-07-01", /^publishDate is in the future: 2026-0/],
  ["published_at: 2031-01-01T00:00:00Z", "published_at is in the future: 2031-01-01"],
  ["published: 2031-01-01T00:00:00Z", "published is in the future: 2031-01-01"],
  ["publishDate: next spring", "publishDate: next spring"],
  ["expiryDate: 2021-01-01", "expiryDate: 2021-01-01"],
  ["expiryDate: whenever", "expiryDate: whenever"],
  ["scheduled_for: 2031-01-01", "scheduled_for: 2031-01-01"],
])("an article with the front matter %j is not published, and the import shows why", (lines, reason) => {
  expect(readFields(lines)).toEqual(typeof reason === "string" ? reason : expect.stringMatching(reason));
});

test.each([
  ["---\ntitle: A\ndate: 2031-01-01Z\n---\nText", "2031-01-01T12:00:00.000Z"],
  ["+++\ntitle = 'A'\ndate = 2031-01-01T00:00:00Z\n+++\nText", "2031-01-01T00:00:00.000+00:00"],
])("the article %j, whose date is in the future, is not published and keeps its date", (text, createdAt) => {
  expect(readArticle(text, "a.md", NOW, NOW)).toMatchObject({
    unpublishedReason: "date is in the future: 2031-01-01",
    createdAt,
  });
});

test("an article that is dated today, without a time, is published from the start of the day", () => {
  const early = new Date("2026-06-15T00:10:00Z");
  const read = (day: string) => readArticle(`---\ntitle: A\ndate: ${day}\n---\nText`, "a.md", early, early);
  expect(read("2026-06-15").unpublishedReason).toBeNull();
  expect(read("2026-06-16").unpublishedReason).toBe("date is in the future: 2026-06-16");
});

test("an article with an unreadable date is published, and has no date", () => {
  const article = readArticle("---\ntitle: A\ndate: 2031-31-31\n---\nText", "a.md", NOW, NOW);
  expect(article).toMatchObject({ unpublishedReason: null, createdAt: null });
});

test.each([
  ["_drafts/a.md", "in the folder _drafts"],
  ["source/_drafts/a.md", "in the folder _drafts"],
  ["content/drafts/2020/a.md", "in the folder drafts"],
  ["notes/private/a.md", "in the folder private"],
  ["src/content/blog/_a.md", "named _a.md"],
  ["posts/a.draft.md", "named a.draft.md"],
])("an article at %s is not published", (path, reason) => {
  expect(readFields("layout: post", path)).toBe(reason);
});

test.each(["_posts/2020-01-02-a.md", "content/blog/_index.md", "archive/a.md", "how-to-draft.md"])(
  "an article at %s is published",
  (path) => {
    expect(readFields("layout: post", path)).toBeNull();
  },
);

test("an article without front matter is not published", () => {
  expect(readArticle("# A\n\nText", "a.md", NOW, NOW).unpublishedReason).toBe("it has no front matter");
});

const PUBLIC_FLAGS =
  "published publish isPublished is_public public dg-publish isVisible visible listed isListed".split(" ");
const HIDDEN_FLAGS =
  "draft isDraft saveAsDraft ignore_post unpublished private isPrivate hidden isHidden hide unlisted isUnlisted protected isProtected secret archived isArchived deleted trashed headless eleventyExcludeFromCollections members-only memberOnly subscribersOnly paid isPaid premium emailOnly".split(
    " ",
  );
const STATES = "status state post_status publishStatus publicationStatus postState".split(" ");
const AUDIENCES = "visibility audience access privacy postVisibility accessLevel".split(" ");
const PASSWORDS = "password postPassword passphrase".split(" ");
const PUBLIC_FROM =
  "publishDate publishAt publishOn publishAfter scheduled scheduledAt scheduledFor scheduledDate releaseDate embargo embargoedUntil goLive".split(
    " ",
  );
const PUBLIC_UNTIL =
  "expiryDate expires expires_at expiresOn expiry expirationDate unpublishDate unpublishAt".split(" ");

const values = (names: string[], ...all: string[]) =>
  names.flatMap((name) => all.map((value) => `${name}: ${value}`));

test.each([
  ...values(PUBLIC_FLAGS, "true", "Yes", "on", "y", "1", "' true '"),
  ...values(HIDDEN_FLAGS, "false", "No", "off", "n", "0", "' '"),
  ...values(STATES, "publish", "Published", "public", "live", "featured", "''"),
  ...values(AUDIENCES, "public", "Everyone", "everybody", "anyone", "all", "world", "visible", "''"),
  ...values(PASSWORDS, "''"),
  ...values(PUBLIC_FROM, "2020-01-02", "''"),
  ...values(PUBLIC_UNTIL, "2030-01-01", "''"),
  ...values(["build"], "x", "{ render: always, list: always }", "{}"),
  ...values(["tags", "categories"], "[a, nodraft]", "a drafty", "''"),
])("an article with the front matter %j is public", (line) => {
  expect(readFields(line)).toBeNull();
});

test.each([
  ...values(PUBLIC_FLAGS, "false", "[a]", "yesterday", "untrue", "yes!", "''"),
  ...values(HIDDEN_FLAGS, "true", "[a]", "none", "only", "10"),
  ...values(STATES, "draft", "[a]", "unpublished", "publisher", "lives"),
  ...values(AUDIENCES, "members", "[a]", "nonpublic", "publicly", "not all"),
  ...values(PASSWORDS, "secret"),
  ...values(PUBLIC_FROM, "2031-01-01", "[a]", "later"),
  ...values(PUBLIC_UNTIL, "2021-01-01", "[a]", "later"),
  ...values(
    ["build"],
    "{ render: never }",
    "{ render: link }",
    "{ list: local }",
    "{ list: false }",
    "{ list: Never }",
  ),
  ...values(["tags", "categories"], "[a, Draft]", "[' #drafts ']", "'a, draft'", "a drafts b"),
])("an article with the front matter %j is hidden", (line) => {
  expect(readFields(line)).not.toBeNull();
});

test("fields that say whether an article is public aren't listed as left out", () => {
  const names = [PUBLIC_FLAGS, HIDDEN_FLAGS, STATES, AUDIENCES, PUBLIC_FROM, PUBLIC_UNTIL].flat();
  const text = `---\ntitle: A\n${names.map((name) => `${name}: ""`).join("\n")}\n---\nText`;
  expect(readArticle(text, "a.md", NOW, NOW).notes).toEqual([]);
  expect(readArticle("---\ntitle: A\npassword: a\n---\nText", "a.md", NOW, NOW).notes).toEqual([
    "left out: password",
  ]);
});

test("an article is public if its date is in the next five minutes", () => {
  const read = (time: string) =>
    readArticle(`---\ntitle: A\ndate: ${time}\n---\nText`, "a.md", NOW, NOW).unpublishedReason;
  expect(read("2026-06-15T12:05:00Z")).toBeNull();
  expect(read("2026-06-15T12:05:01Z")).toBe("date is in the future: 2026-06-15");
});

test("an article is public from and until the given moment", () => {
  expect(readFields("publishAt: 2026-06-15T12:00:00Z")).toBeNull();
  expect(readFields("publishAt: 2026-06-15T12:00:01Z")).not.toBeNull();
  expect(readFields("expires: 2026-06-15T12:00:01Z")).toBeNull();
  expect(readFields("expires: 2026-06-15T12:00:00Z")).not.toBeNull();
});

test("the reason shows at most 40 characters of a value", () => {
  expect(readFields(`status: ${"x".repeat(40)}`)).toBe(`status: ${"x".repeat(40)}`);
  expect(readFields(`status: ${"x".repeat(41)}`)).toBe(`status: ${"x".repeat(40)}…`);
});

test.each([
  ["Drafts/a.md", "in the folder Drafts"],
  ["_draft/a.md", "in the folder _draft"],
  ["unpublished/a.md", "in the folder unpublished"],
  ["_trash/b/a.md", "in the folder _trash"],
  ["posts/a.drafts.md", "named a.drafts.md"],
  ["posts/_index-of-things.md", "named _index-of-things.md"],
])("an article at %s is hidden, because it is %s", (path, reason) => {
  expect(readFields("layout: post", path)).toBe(reason);
});

test.each(["drafts.md", "mydrafts/a.md", "draftsman/a.md", "a.draft.b.md", "a_b.md"])(
  "an article at %s is public",
  (path) => {
    expect(readFields("layout: post", path)).toBeNull();
  },
);
