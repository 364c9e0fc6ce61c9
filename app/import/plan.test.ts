import { v5 } from "uuid";
import { afterEach, expect, test, vi } from "vitest";
import type { ContentRow, Profile, Skill } from "../../common/data/schema.ts";
import type { ArticleFields } from "../../common/kinds/articles.ts";
import { ADA, GRACE, NOTHING_STORED, rowsToWrite, siteWith } from "../../tests/support/imports.ts";
import type { FileContent, FileItem } from "./items.ts";
import { type PlanLine, planRows } from "./plan.ts";
import type { Stored } from "./stored-rows.ts";

const ID = "0b9c2a54-0000-0000-0000-000000000001";

function article(part: Partial<FileItem> = {}, fields: Partial<ArticleFields> = {}): FileItem {
  return {
    table: "articles",
    source: "a.md",
    path: "a.md",
    id: ID,
    createdAt: null,
    updatedAt: null,
    unpublishedReason: null,
    modifiedAt: null,
    hasUnreadableDate: false,
    notes: [],
    ...part,
    fields: { title: "A", content: "Text", published: true, ...fields },
  };
}

afterEach(() => void vi.useRealTimers());

function content(...items: FileItem[]): FileContent {
  return { items, profile: null, skills: null, leftOut: [], otherPictures: [] };
}

/** A site on which `ownerId` already has this item. */
function siteHaving(item: FileItem, ownerId: string) {
  return siteWith(rowsToWrite(content(item), NOTHING_STORED, ownerId));
}

const idOf = (line: PlanLine | undefined) => {
  const [write] = line?.writes ?? [];
  return write && "row" in write ? write.row["id"] : null;
};

test("an imported item keeps its id if no item on the site has it", () => {
  const { lines } = planRows(content(article()), NOTHING_STORED, ADA);
  expect(idOf(lines[0])).toBe(ID);
});

test("if another member's item already has an imported item's id, the new id is derived from that id and the importing member", () => {
  const { lines } = planRows(content(article()), siteHaving(article(), GRACE), ADA);
  expect(idOf(lines[0])).toBe(v5(ID, ADA));
  expect(lines[0]).toMatchObject({ group: "Create" });
});

test("if other members' items have all ids that an import derives first, it derives another one, and finds it again", () => {
  const taken = [article(), article({ id: v5(ID, ADA) })];
  const site = structuredClone(siteHaving(article(), GRACE));
  for (const item of taken) {
    for (const [id, row] of siteHaving(item, GRACE).items["articles"] ?? [])
      site.items["articles"]?.set(id, row);
  }
  const free = v5(v5(ID, ADA), ADA);
  expect(idOf(planRows(content(article()), site, ADA).lines[0])).toBe(free);
  for (const [id, row] of siteHaving(article({ id: free }), ADA).items["articles"] ?? []) {
    site.items["articles"]?.set(id, row);
  }
  expect(planRows(content(article()), site, ADA)).toMatchObject({
    lines: [],
    leftOut: [{ reason: "is identical to the version on this site" }],
  });
});

test("an imported item without a date is ticked and gets its file's modification time, or the current time if that is unknown, from today or in the future", () => {
  const planned = (part: Partial<FileItem>) => planRows(content(article(part)), NOTHING_STORED, ADA).lines[0];
  expect(planned({ modifiedAt: "2019-05-06T07:08:09.000Z" })).toMatchObject({
    isInitiallyTicked: true,
    createdAt: "2019-05-06T07:08:09.000Z",
    details: ["Article", "a.md", "has no date: gets 2019-05-06, when its file was last changed"],
    writes: [{ row: { created_at: "2019-05-06T07:08:09.000Z" } }],
  });
  for (const modifiedAt of [null, new Date().toISOString(), "2999-01-01T00:00:00.000Z"]) {
    const before = new Date().toISOString();
    const line = planned({ modifiedAt });
    expect(line).toMatchObject({
      isInitiallyTicked: true,
      details: ["Article", "a.md", "has no date: gets the current time"],
    });
    const [write] = line?.writes ?? [];
    const date = write && "row" in write ? String(write.row["created_at"]) : "";
    expect(date >= before && date <= new Date().toISOString()).toBe(true);
  }
});

test("an imported item with a date that can't be read is unticked", () => {
  const undated = article({ hasUnreadableDate: true, notes: ["the date “soon” is not understood"] });
  expect(planRows(content(undated), NOTHING_STORED, ADA).lines).toMatchObject([
    { isInitiallyTicked: false, details: expect.arrayContaining(["the date “soon” is not understood"]) },
  ]);
});

test("a line that updates an item shows the title that it replaces, and the date that the item keeps", () => {
  const createdAt = "2019-05-06T07:08:09.000Z";
  const site = siteHaving(article({ createdAt }, { title: "Its name on the site" }), ADA);
  const [line] = planRows(content(article({ createdAt: "2020-01-01T00:00:00.000Z" })), site, ADA).lines;
  expect(line).toMatchObject({
    group: "Update",
    title: "A",
    createdAt,
    details: expect.arrayContaining(["replaces “Its name on the site”"]),
  });
});

test("a file named index.md is identified by its title, and never updates an article that shares neither its title nor its text", () => {
  const index = (fields: Partial<ArticleFields>) => article({ id: null, path: "index.md" }, fields);
  const site = siteHaving(index({ title: "A" }), ADA);
  const planned = (fields: Partial<ArticleFields>, stored = site) =>
    planRows(content(index(fields)), stored, ADA).lines[0];
  expect(planned({ title: "A", content: "Changed" })).toMatchObject({ group: "Update" });
  expect(planned({ title: "B" })).toMatchObject({ group: "Create" });
  // The member has given the stored article another title and another text since the import.
  const [row] = site.items["articles"]?.values() ?? [];
  Object.assign(row ?? {}, { title: "Renamed", content: "Rewritten" });
  const copy = planned({ title: "A" });
  expect(copy).toMatchObject({ group: "Create" });
  expect(idOf(copy)).not.toBe(row?.id);
  Object.assign(row ?? {}, { content: "Text" });
  expect(planned({ title: "A", published: false })).toMatchObject({ group: "Update" });
});

test("an imported item with another program's id keeps its identity when its file moves", () => {
  const moved = (path: string) =>
    planRows(content(article({ id: "5b6dbe0d", path })), NOTHING_STORED, ADA).lines[0];
  expect(idOf(moved("a.md"))).toBe(v5("5b6dbe0d", ADA));
  expect(idOf(moved("blog/b.md"))).toBe(v5("5b6dbe0d", ADA));
});

test("pictures that were not found are named, except those that the site has", () => {
  const stored = `${ADA}/${"0a".repeat(16)}-8x6.webp`;
  const missing = (address: string) => ({ address, problem: "missing" as const });
  const item = article({
    missingPictures: [
      missing("gone.png"),
      missing(`/storage/v1/object/public/pictures/${stored}`),
      { address: "plan.png", problem: "ambiguous" },
    ],
  });
  const site = { ...NOTHING_STORED, pictures: new Set([stored]) };
  expect(planRows(content(item), site, ADA).lines[0]?.details).toEqual(
    expect.arrayContaining([
      "not found: gone.png",
      "left out, because several files have the name: plan.png",
    ]),
  );
});

test("the import list shows why an article is not published", () => {
  const draft = article(
    { createdAt: "2020-01-01T00:00:00Z", unpublishedReason: "draft: true" },
    { published: false },
  );
  expect(planRows(content(draft), NOTHING_STORED, ADA).lines[0]?.details).toEqual([
    "Article",
    "not published (draft: true)",
    "a.md",
  ]);
});

test("an imported item without an id gets one derived from its path and the importing member", () => {
  const { lines } = planRows(content(article({ id: null })), NOTHING_STORED, ADA);
  // Computed with Python's uuid.uuid5.
  expect(idOf(lines[0])).toBe("f60c2d11-b184-5779-9234-08378647bca2");
});

test("an import recognises an earlier copy with a derived id, even after the original has been deleted", () => {
  const copy = siteHaving(article({ id: v5(ID, ADA) }), ADA);
  const { lines, leftOut } = planRows(content(article()), copy, ADA);
  expect(lines).toEqual([]);
  expect(leftOut).toEqual([{ source: "a.md", reason: "is identical to the version on this site" }]);
});

test("an import can update the member's own item, but leaves it unticked if the site's version is newer", () => {
  const changed = article(
    { updatedAt: "2025-12-31T00:00:00Z", notes: ["left out: tags"] },
    { content: "Older" },
  );
  const site = siteHaving(article(), ADA);
  expect(planRows(content(changed), site, ADA).lines).toMatchObject([
    {
      group: "Update",
      writes: [{ row: { id: ID } }],
      isInitiallyTicked: false,
      details: ["Article", "a.md", "replaces “A”", "older than the version on this site", "left out: tags"],
    },
  ]);
  const newer = { ...changed, updatedAt: "2026-01-02T00:00:00Z" };
  expect(planRows(content(newer), site, ADA).lines).toMatchObject([{ isInitiallyTicked: true }]);
});

test("an import sets the creation date of new items only, and never sets the update time", () => {
  const changed = article({ createdAt: "2020-01-01T00:00:00Z" }, { content: "New" });
  const [update] = rowsToWrite(content(changed), siteHaving(article(), ADA), ADA);
  expect(update?.row).not.toHaveProperty("created_at");
  expect(update?.row).not.toHaveProperty("updated_at");
  const [insert] = rowsToWrite(content(changed), NOTHING_STORED, ADA);
  expect(insert?.row).toMatchObject({ created_at: "2020-01-01T00:00:00Z" });
  expect(insert?.row).not.toHaveProperty("updated_at");
});

test("if several files contain the same item, only the first is imported", () => {
  const { lines, leftOut } = planRows(
    content(article(), article({ source: "b.md" }), article({ source: "c.md" }, { content: "Other" })),
    NOTHING_STORED,
    ADA,
  );
  expect(lines).toHaveLength(1);
  expect(leftOut).toEqual([
    { source: "b.md", reason: "is the same as a.md" },
    { source: "c.md", reason: "would overwrite a.md" },
  ]);
});

const PROFILE = { username: "ada", featured_skills: ["SQL"] } as FileContent["profile"] & Profile;
const SKILL = { category: "sql", name: "SQL", proficiency: 5, years_experience: 9 } as const;
const MINE = { ...SKILL, id: "old", profile_id: ADA, created_at: "2026-01-01T00:00:00Z" };
const NEW = { ...SKILL, name: "PL/pgSQL" };

function planReplacing(skills: object[], stored: Partial<Stored>) {
  const imported = skills.map((skill) => ({ ...skill, createdAt: null })) as FileContent["skills"];
  const files = { ...content(), profile: PROFILE, skills: imported };
  return planRows(files, { ...NOTHING_STORED, ...stored }, ADA);
}

test("the import list has one unticked line for the profile and one for all skills", () => {
  const { lines } = planReplacing([NEW, NEW], { skills: [MINE] });
  expect(lines).toMatchObject([
    { title: "Profile", isInitiallyTicked: false, writes: [{ table: "profiles", row: { id: ADA } }] },
    {
      title: "Skills (2)",
      details: ["replaces your skills (1)"],
      isInitiallyTicked: false,
      writes: [{ row: { ...NEW, profile_id: ADA } }, { row: NEW }, { table: "skills", obsoleteId: "old" }],
    },
  ]);
});

test("each imported skill gets its own id, which is the same in every import", () => {
  const [, first] = planReplacing([NEW, NEW], { skills: [MINE] }).lines;
  const rows = first?.writes.flatMap((write) => ("row" in write ? [write.row] : [])) ?? [];
  expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
  // Import again after the first import has stored `rows` but was interrupted before it deleted the old skill, `MINE`.
  const [, second] = planReplacing([NEW, NEW], { skills: [MINE, ...(rows as unknown as Skill[])] }).lines;
  expect(second?.writes).toEqual(first?.writes);
});

test("an unchanged profile and unchanged skills are not offered, even if the skills' ids and order differ", () => {
  const stored = { profile: PROFILE, skills: [{ ...MINE, ...NEW, id: "other" }, MINE] };
  const { lines, leftOut } = planReplacing([SKILL, NEW], stored);
  expect(lines).toEqual([]);
  const reason = "is identical to the version on this site";
  expect(leftOut).toEqual([
    { source: "profile.json", reason },
    { source: "skills.json", reason },
  ]);
});

test("a changed profile is offered in one line, and its address of a portrait without a file stays", () => {
  const stored = { profile: { ...PROFILE, username: "lovelace" }, skills: [{ ...MINE }] };
  const { lines, leftOut } = planReplacing([SKILL], stored);
  expect(lines).toEqual([
    {
      key: "profile",
      group: "Replace",
      title: "Profile",
      createdAt: null,
      details: ["replaces your profile"],
      isInitiallyTicked: false,
      writes: [{ table: "profiles", row: { ...PROFILE, id: ADA } }],
    },
  ]);
  expect(leftOut.map(({ source }) => source)).toEqual(["skills.json"]);
});

test("an imported skill keeps its creation date, or has none", () => {
  const createdAt = "2020-01-01T00:00:00.000Z";
  const skills = [
    { ...SKILL, createdAt },
    { ...NEW, createdAt: null },
  ];
  const { lines } = planRows({ ...content(), skills }, NOTHING_STORED, ADA);
  expect(lines).toMatchObject([{ key: "skills", group: "Replace", createdAt: null }]);
  const rows = lines[0]?.writes.flatMap((write) => ("row" in write ? [write.row] : [])) ?? [];
  expect(rows.map((row) => row["created_at"])).toEqual([createdAt, undefined]);
  expect(rows[1]).not.toHaveProperty("created_at");
});

const picture = (digit: string) => `${ADA}/${digit.repeat(32)}-8x6.webp`;
const uploads = (...digits: string[]) => new Map(digits.map((digit) => [picture(digit), new Blob([digit])]));

test.each([
  [["a"], "with a picture"],
  [["a", "b", "c"], "with 3 pictures"],
])("an item's line counts its pictures %j and uploads them first", (digits, text) => {
  const item = article({ createdAt: "2020-01-01T00:00:00Z", uploads: uploads(...digits) });
  const [line] = planRows(content(item), NOTHING_STORED, ADA).lines;
  expect(line?.details).toEqual(["Article", "a.md", text]);
  expect(line?.writes.map((write) => ("blob" in write ? write.picturePath : "row"))).toEqual([
    ...digits.map(picture),
    "row",
  ]);
});

test.each([
  [["a"], [], "adds a picture that the site lacks"],
  [["a", "b"], [], "adds 2 pictures that the site lacks"],
  [["a", "b"], ["b"], "adds a picture that the site lacks"],
])(
  "an identical item with the pictures %j, of which the site has %j, has one line for the others",
  (shown, had, text) => {
    const item = article({ uploads: uploads(...shown) });
    const site = { ...siteHaving(article(), ADA), pictures: new Set(had.map(picture)) };
    const { lines } = planRows(content(item), site, ADA);
    expect(lines).toEqual([
      {
        key: `articles/${ID}/pictures`,
        group: "Update",
        title: "A",
        createdAt: null,
        details: ["a.md", text],
        isInitiallyTicked: true,
        writes: shown
          .filter((digit) => !had.includes(digit))
          .map((digit) => ({ picturePath: picture(digit), blob: expect.any(Blob) })),
      },
    ]);
  },
);

test("a second copy of an imported item adds no line for its pictures", () => {
  const copy = article({ source: "b.md", uploads: uploads("a") });
  expect(planRows(content(article(), copy), NOTHING_STORED, ADA).lines).toHaveLength(1);
});

test.each([
  [["a"], null, ["pictures that no article shows"]],
  [["a"], "a", ["your portrait"]],
  [["a", "b"], "a", ["your portrait", "pictures that no article shows"]],
  [["a", "b"], null, ["pictures that no article shows"]],
])(
  "the other pictures %j with the portrait %s have one line that says what they are",
  (digits, portrait, details) => {
    const address = portrait === null ? null : `/storage/v1/object/public/pictures/${picture(portrait)}`;
    const profile = portrait === null ? null : { ...PROFILE, avatar_url: address };
    const files = { ...content(), profile, otherUploads: uploads(...digits) };
    const [line] = planRows(files, NOTHING_STORED, ADA).lines;
    expect(line).toMatchObject({
      key: "pictures",
      group: "Create",
      title: `Pictures (${digits.length})`,
      createdAt: null,
      details,
      isInitiallyTicked: true,
    });
  },
);

test("an unpublished item without a reason is only called not published", () => {
  const draft = article({ createdAt: "2020-01-01T00:00:00Z" }, { published: false });
  expect(planRows(content(draft), NOTHING_STORED, ADA).lines[0]?.details).toEqual([
    "Article",
    "not published",
    "a.md",
  ]);
});

test("a file of this morning counts as a file of today, and one of last night does not", () => {
  vi.useFakeTimers({ now: new Date(2026, 4, 5, 12, 30) });
  const details = (modified: Date) =>
    planRows(content(article({ modifiedAt: modified.toISOString() })), NOTHING_STORED, ADA).lines[0]
      ?.details[2];
  for (const modified of [new Date(2026, 4, 5, 8, 10), new Date(2026, 4, 5)])
    expect(details(modified)).toBe("has no date: gets the current time");
  expect(details(new Date(2026, 4, 4, 23, 59))).toMatch(/when its file was last changed$/);
});

test.each([
  [null, true],
  ["2026-01-01T00:00:00Z", true],
  ["2025-12-31T23:59:59Z", false],
])("a changed item that was updated at %s is ticked for a version of 2026: %s", (updatedAt, isTicked) => {
  const site = siteHaving(article(), ADA);
  const [line] = planRows(content(article({ updatedAt }, { content: "Changed" })), site, ADA).lines;
  expect(line?.isInitiallyTicked).toBe(isTicked);
  expect(line?.details.includes("older than the version on this site")).toBe(!isTicked);
});

test("a picture of this site that the member no longer has is named as not found", () => {
  const address = `/storage/v1/object/public/pictures/${picture("a")}`;
  const item = article({ missingPictures: [{ address, problem: "missing" }] });
  const details = (paths: string[]) =>
    planRows(content(item), { ...NOTHING_STORED, pictures: new Set(paths) }, ADA).lines[0]?.details;
  expect(details([])).toContain(`not found: ${address}`);
  expect(details([picture("a")])?.join()).not.toContain("not found");
  // Only an address of this site names a picture in the member's folder.
  const other = article({ missingPictures: [{ address: `x${picture("a")}`, problem: "missing" }] });
  const site = { ...NOTHING_STORED, pictures: new Set([picture("a")]) };
  expect(planRows(content(other), site, ADA).lines[0]?.details.join()).toContain("not found");
});

test("if every id of an item is in use, the plan omits it", () => {
  const site = structuredClone(NOTHING_STORED);
  const taken = { id: ID, author_id: GRACE, title: "A", content: "Text" } as unknown as ContentRow;
  Object.assign(site.items["articles"] ?? {}, { get: () => taken, has: () => true });
  const { lines, leftOut } = planRows(content(article()), site, ADA);
  expect(lines).toEqual([]);
  expect(leftOut).toEqual([{ source: "a.md", reason: "has an id that another member's item uses" }]);
});
