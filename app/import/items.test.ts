import { describe, expect, test } from "vitest";
import type { Column } from "../../common/data/columns.ts";
import { MAX_CHARACTERS } from "../../common/data/limits.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { fieldsSchema, ORIGIN, PROFILE, SKILL } from "./items.ts";
import { validate } from "./left-out.ts";

const ARTICLE = { title: "Joins", content: "Text", published: true };
const LINK = { title: "Joins", url: "https://example.com", category: "SQL", description: null };
const check = (value: object) => validate(SKILL, { ...GOOD_SKILL, ...value });
const GOOD_SKILL = { name: "SQL", category: "sql", proficiency: 5, years_experience: 9 };

/** Returns the reason why the fields are rejected, or undefined. */
function reason(schema: Parameters<typeof validate>[0], value: object): string | undefined {
  try {
    validate(schema, value);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

describe("the texts of an imported item", () => {
  const article = fieldsSchema("articles");

  test.each([
    ["a", MAX_CHARACTERS.name],
    ["😀", MAX_CHARACTERS.name],
  ])("a title of %s may have as many characters as the database allows", (character, most) => {
    expect(reason(article, { ...ARTICLE, title: character.repeat(most) })).toBeUndefined();
    expect(reason(article, { ...ARTICLE, title: character.repeat(most + 1) })).toBe(
      "has more than 1,000 characters in its title",
    );
  });

  test.each(["", " \n", "\u200b"])("the title %j is none", (title) => {
    expect(reason(article, { ...ARTICLE, title })).toBe("has no title");
  });

  test.each(["a\0b", "\ud800", "x\udc00y"])("a text with %j cannot be stored", (content) => {
    expect(reason(article, { ...ARTICLE, content })).toBe(
      "contains a character that cannot be stored (NUL or an unpaired surrogate)",
    );
  });

  test("a missing state means not published, and a missing text or one of another type is rejected", () => {
    expect(validate(article, { title: "A", content: "B" })).toEqual({
      title: "A",
      content: "B",
      published: false,
    });
    for (const content of [undefined, null, 7, ["x"]])
      expect(reason(article, { ...ARTICLE, content }), String(content)).toBe("cannot be read");
  });

  test.each([
    ["https://example.com/a", undefined],
    ["/articles", undefined],
    ["javascript:alert(1)", "has a URL scheme that is not allowed in its address"],
    ["", "has no address"],
  ])("the address %j of a link is checked: %s", (url, expected) => {
    expect(reason(fieldsSchema("useful_links"), { ...LINK, url })).toBe(expected);
  });
});

/** A value that a column of this type accepts. */
function sampleOf(column: Column): unknown {
  if (column.type === "choice") return Object.keys(column.options)[0];
  if (column.type === "number") return column.min;
  if (column.type === "date") return "2026-11-05";
  return column.type === "address" ? "https://example.com" : "Text";
}

test("for every kind, an optional text or date may be missing, and an empty choice, date or number is none", () => {
  for (const { table, columns } of KINDS) {
    const schema = fieldsSchema(table);
    const all: [string, Column][] = Object.entries(columns);
    const required = all.filter(([, column]) => "isRequired" in column && column.isRequired);
    const least = Object.fromEntries(required.map(([name, column]) => [name, sampleOf(column)]));
    const stored = validate(schema, least);
    for (const [name, column] of all) {
      if (name in least) continue;
      const empty = column.type === "flag" ? false : column.type === "list" ? [] : null;
      expect(stored, `${table}.${name}`).toHaveProperty(name, empty);
      if (["choice", "date", "number"].includes(column.type))
        expect(validate(schema, { ...least, [name]: "" }), `${table}.${name}`).toHaveProperty(name, null);
    }
  }
});

describe("an imported skill and profile", () => {
  test.each([
    [{ proficiency: 1 }, undefined],
    [{ proficiency: 5 }, undefined],
    [{ proficiency: 0 }, "has a number outside 1 to 5 in its proficiency"],
    [{ proficiency: 6 }, "has a number outside 1 to 5 in its proficiency"],
    [{ proficiency: 1.5 }, "has a number outside 1 to 5 in its proficiency"],
    [{ proficiency: "5" }, "cannot be read"],
    [{ proficiency: null }, "cannot be read"],
    [{ category: "cooking" }, "uses an unsupported category: cooking"],
    [{ category: "toString" }, "uses an unsupported category: toString"],
    [{ name: "x".repeat(101) }, "has more than 100 characters in its name"],
    [{ name: null }, undefined],
  ])("the skill %j is checked: %s", (part, expected) => {
    expect(reason(SKILL, { ...GOOD_SKILL, ...part })).toBe(expected);
    if (expected === undefined) expect(check(part)).toEqual({ ...GOOD_SKILL, ...part });
  });

  test.each([
    [{ years_experience: 80 }, undefined],
    [{ years_experience: 81 }, "has a number outside 0 to 80 in its years of experience"],
    [{ featured_skills: ["SQL", "Python"] }, undefined],
    [{ featured_skills: ["SQL", 7] }, "cannot be read"],
    [{ featured_skills: ["x".repeat(20_000)] }, undefined],
    [{ featured_skills: ["x".repeat(19_999), ""] }, undefined],
    [{ featured_skills: ["x".repeat(20_000), ""] }, "has more than 20,000 characters in its featured skills"],
    [{ linkedin_url: "javascript:alert(1)" }, "has a URL scheme that is not allowed in its LinkedIn URL"],
    [{ linkedin_url: "" }, undefined],
    [{ bio: "x".repeat(20_001) }, "has more than 20,000 characters in its bio"],
    [{ featured: "yes" }, "cannot be read"],
  ])("the profile %j is checked: %s", (part, expected) => {
    expect(reason(PROFILE, part)?.slice(0, 200)).toBe(expected);
  });

  test("an empty profile has no values, no skills, and is not featured", () => {
    expect(validate(PROFILE, {})).toEqual({
      username: null,
      full_name: null,
      bio: null,
      avatar_url: null,
      current_title: null,
      company: null,
      years_experience: null,
      featured: false,
      linkedin_url: null,
      featured_skills: [],
    });
  });
});

test.each([
  [{ id: "0B9C2A54-1111-4111-8111-111111111111" }, "0b9c2a54-1111-4111-8111-111111111111"],
  [{ id: "5b6dbe0d" }, null],
  [{ id: 7 }, null],
  [{}, null],
])("of the origin %j, only a UUID is an id", (origin, id) => {
  expect(validate(ORIGIN, { created_at: null, updated_at: null, ...origin })).toMatchObject({ id });
});

test("the dates of an origin are read, and those that can't be read are none", () => {
  expect(validate(ORIGIN, { created_at: "2020-01-02", updated_at: "soon" })).toMatchObject({
    createdAt: expect.stringMatching(/^2020-01-02/),
    updatedAt: null,
  });
});
