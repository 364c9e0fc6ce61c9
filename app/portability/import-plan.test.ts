import { expect, test } from "vitest";
import type { Profile } from "../data/schema.ts";
import { derivedId } from "./ids.ts";
import { planImport } from "./import-plan.ts";
import type { FileContent, FileItem } from "./items.ts";
import { ADA, GRACE, NOTHING_STORED, rowsToWrite, siteWith } from "./testing.ts";

const ID = "0b9c2a54-0000-0000-0000-000000000001";

function article(
  part: Partial<FileItem<"articles">> = {},
  fields: Partial<FileItem<"articles">["fields"]> = {},
): FileItem {
  return {
    table: "articles",
    source: "a.md",
    path: "a.md",
    id: ID,
    createdAt: null,
    updatedAt: null,
    notes: [],
    ...part,
    fields: { title: "A", content: "Text", published: true, ...fields },
  };
}

function content(...items: FileItem[]): FileContent {
  return { items, profile: null, skills: null, leftOut: [] };
}

/** A site on which `ownerId` has this item, as Ada sees it. */
function siteHaving(item: FileItem, ownerId: string) {
  return siteWith(rowsToWrite(content(item), NOTHING_STORED, ownerId), ownerId === ADA);
}

const idOf = (line: ReturnType<typeof planImport>["lines"][number] | undefined) =>
  line?.step.kind === "item" ? line.step.id : null;

test("a free id is kept", () => {
  const { lines } = planImport(content(article()), NOTHING_STORED, ADA);
  expect(idOf(lines[0])).toBe(ID);
});

test("an id of somebody else's gives way to one that is derived from the member and it", () => {
  const { lines } = planImport(content(article()), siteHaving(article(), GRACE), ADA);
  expect(idOf(lines[0])).toBe(derivedId(ADA, ID));
  expect(lines[0]).toMatchObject({ step: { isNew: true }, isTickedAtFirst: true });
});

test("an item without an id gets one that is derived from the member and its path", () => {
  const { lines } = planImport(content(article({ id: null })), NOTHING_STORED, ADA);
  // As Python's uuid.uuid5 has it.
  expect(idOf(lines[0])).toBe("f60c2d11-b184-5779-9234-08378647bca2");
});

test("a copy that was made under a derived id stays the copy when the original's id is free again", () => {
  const copy = siteHaving(article({ id: derivedId(ADA, ID) }), ADA);
  const { lines, leftOut } = planImport(content(article()), copy, ADA);
  expect(lines).toEqual([]);
  expect(leftOut).toEqual([{ source: "a.md", reason: "is already here, and the same" }]);
});

test("one's own item is updated, and unticked at first when the site's is newer", () => {
  const changed = article(
    { updatedAt: "2025-12-31T00:00:00Z", notes: ["left out: tags"] },
    { content: "Older" },
  );
  const site = siteHaving(article(), ADA);
  expect(planImport(content(changed), site, ADA).lines).toMatchObject([
    {
      step: { isNew: false, id: ID },
      isTickedAtFirst: false,
      notes: ["older than what is here", "left out: tags"],
    },
  ]);
  const newer = { ...changed, updatedAt: "2026-01-02T00:00:00Z" };
  expect(planImport(content(newer), site, ADA).lines).toMatchObject([{ isTickedAtFirst: true }]);
});

test("an update never writes the time of creation", () => {
  const changed = article({ createdAt: "2020-01-01T00:00:00Z" }, { content: "New" });
  const [update] = rowsToWrite(content(changed), siteHaving(article(), ADA), ADA);
  expect(update?.row).not.toHaveProperty("created_at");
  const [insert] = rowsToWrite(content(changed), NOTHING_STORED, ADA);
  expect(insert?.row).toMatchObject({ created_at: "2020-01-01T00:00:00Z" });
  expect(insert?.row).not.toHaveProperty("updated_at");
});

test("what the database would refuse is left out with the reason", () => {
  const link = (fields: object): FileItem => ({
    ...article({ source: "useful-links.json" }),
    table: "useful_links",
    fields: { title: "Docs", url: "/docs", description: null, category: "SQL", ...fields },
  });
  const sample = (fields: object): FileItem => ({
    ...article({ source: "sample" }),
    table: "code_samples",
    fields: { title: "Loop", description: null, code_content: "pass", language: "python", ...fields },
  });
  const { lines, leftOut } = planImport(
    content(
      article({}, { title: "" }),
      article({}, { content: "" }),
      article({}, { content: "a\0b" }),
      link({ url: "javascript:alert(1)" }),
      link({ category: "" }),
      sample({ code_content: "" }),
      sample({ language: "cobol" }),
    ),
    NOTHING_STORED,
    ADA,
  );
  expect(lines).toEqual([]);
  expect(leftOut.map(({ reason }) => reason)).toEqual([
    "has no title",
    "has no text",
    "holds a character that cannot be stored (NUL or half a character)",
    "has no address that may be opened",
    "has no category",
    "has no code",
    "is in a language that this site does not have: cobol",
  ]);
});

test("of two files that mean the same item the second is named", () => {
  const { lines, leftOut } = planImport(
    content(article(), article({ source: "b.md" }), article({ source: "c.md" }, { content: "Other" })),
    NOTHING_STORED,
    ADA,
  );
  expect(lines).toHaveLength(1);
  expect(leftOut).toEqual([
    { source: "b.md", reason: "is the same as a.md" },
    { source: "c.md", reason: "would take the place of a.md" },
  ]);
});

const PROFILE = { username: "ada", featured_skills: ["SQL"] } as Profile;
const SKILL = { id: ID, category: "sql", name: "SQL", proficiency: 5, years_experience: 9 } as const;

test("profile and skills are one line each, unticked at first", () => {
  const { lines } = planImport(
    { ...content(), profile: PROFILE, skills: [{ ...SKILL, createdAt: null }] },
    { ...NOTHING_STORED, skills: [{ ...SKILL, id: "old", profile_id: ADA }] },
    ADA,
  );
  expect(lines).toMatchObject([
    { step: { kind: "profile" }, isTickedAtFirst: false },
    {
      step: { kind: "skills", skills: [{ id: ID }], obsoleteIds: ["old"], replaced: 1 },
      isTickedAtFirst: false,
    },
  ]);
});

test("a profile and skills that are the same are left out, also under derived ids", () => {
  const taken = derivedId(ADA, ID);
  for (const [id, takenSkillIds] of [
    [ID, new Set<string>()],
    [taken, new Set([ID])],
  ] as const) {
    const { lines, leftOut } = planImport(
      { ...content(), profile: PROFILE, skills: [{ ...SKILL, createdAt: null }] },
      { ...NOTHING_STORED, profile: PROFILE, skills: [{ ...SKILL, id, profile_id: ADA }], takenSkillIds },
      ADA,
    );
    expect(lines).toEqual([]);
    expect(leftOut).toHaveLength(2);
  }
});
