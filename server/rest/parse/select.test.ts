import fc from "fast-check";
import { expect, test } from "vitest";
import { RestError } from "../rest-error.ts";
import { parseSelect, type Select } from "./grammar.ts";

const column = (name: string, alias?: string) => ({ column: name, alias });
const embed = (target: string, names: string[], more: object = {}) => ({
  target,
  alias: undefined,
  hint: undefined,
  inner: false,
  isSpread: false,
  columns: names.map((name) => column(name)),
  ...more,
});

test.each<[string, Select]>([
  ["", { columns: [column("*")], embeds: [] }],
  ["*", { columns: [column("*")], embeds: [] }],
  ["id,title", { columns: [column("id"), column("title")], embeds: [] }],
  [" id , title ", { columns: [column("id"), column("title")], embeds: [] }],
  ["name:full_name", { columns: [column("full_name", "name")], embeds: [] }],
  ["full name:full_name", { columns: [column("full_name", "full name")], embeds: [] }],
  ['"Full-name":full_name', { columns: [column("full_name", "Full-name")], embeds: [] }],
  ["a:id,b:id,*", { columns: [column("id", "a"), column("id", "b"), column("*")], embeds: [] }],
  [
    "...profiles!inner(id)",
    { columns: [], embeds: [embed("profiles", ["id"], { isSpread: true, inner: true })] },
  ],
  ['"full name"', { columns: [column("full name")], embeds: [] }],
  ['"a,b(c"', { columns: [column("a,b(c")], embeds: [] }],
  ["some-name", { columns: [column("some-name")], embeds: [] }],
  ["profiles(*)", { columns: [], embeds: [embed("profiles", ["*"])] }],
  ["profiles()", { columns: [], embeds: [embed("profiles", [])] }],
  [
    "*,profiles(username,full_name)",
    { columns: [column("*")], embeds: [embed("profiles", ["username", "full_name"])] },
  ],
  ["author:profiles(id)", { columns: [], embeds: [embed("profiles", ["id"], { alias: "author" })] }],
  [
    "profiles!articles_author_id_fkey(id)",
    { columns: [], embeds: [embed("profiles", ["id"], { hint: "articles_author_id_fkey" })] },
  ],
  [
    "a:profiles!hint!inner(id),skills!left(name)",
    {
      columns: [],
      embeds: [
        embed("profiles", ["id"], { alias: "a", hint: "hint", inner: true }),
        embed("skills", ["name"]),
      ],
    },
  ],
])("the select %j is parsed", (text, expected) => {
  expect(parseSelect(text)).toEqual(expected);
});

test.each([
  ["id,", "PGRST100"],
  [",id", "PGRST100"],
  ["id)", "PGRST100"],
  ["profiles(id", "PGRST100"],
  ["profiles(id))", "PGRST100"],
  ["id;drop table x", "PGRST100"],
  ["id'--", "PGRST100"],
  ["title.count()", "PGRST123"],
  ['x"y:id', "PGRST100"],
  ['"x\\"y":id', "PGRST100"],
  [`${"x".repeat(64)}:id`, "PGRST100"],
  ["id::text", "PGRST100"],
  ["featured_skills->0", "PGRST100"],
  ["...author:profiles(id)", "PGRST100"],
  ["author:...profiles(id)", "PGRST100"],
  ["...profiles", "PGRST100"],
  ["profiles(id,skills(name))", "PGRST127"],
  ["profiles(id,...skills(name))", "PGRST127"],
  ["a:id,b:id,c:id", "PGRST100"],
  ["profiles(a:id,b:id,c:id)", "PGRST100"],
  ["a.b:id", "PGRST100"],
])("the select %j is rejected with %s", (text, code) => {
  expect(() => parseSelect(text)).toThrow(expect.objectContaining({ code }));
});

test.each(["count()", "all:count()", "years.sum()", "profiles(years.max())"])(
  "the select %j is rejected, because aggregates are not supported",
  (text) => {
    expect(() => parseSelect(text)).toThrow(expect.objectContaining({ code: "PGRST123" }));
  },
);

const name = fc.stringMatching(/^[a-z_][a-z0-9_]{0,12}$/);
const columns = fc.uniqueArray(name, { minLength: 1, maxLength: 6 });

test("parsing a generated select returns the same select", () => {
  fc.assert(
    fc.property(columns, fc.array(fc.tuple(name, columns), { maxLength: 3 }), (own, embeds) => {
      const written = [...own, ...embeds.map(([target, names]) => `${target}(${names.join(",")})`)].join(",");
      expect(parseSelect(written)).toEqual({
        columns: own.map((each) => column(each)),
        embeds: embeds.map(([target, names]) => embed(target, names)),
      });
    }),
  );
});

test("a quoted name in a select can contain any characters", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (any) => {
      const written = `"${any.replace(/["\\]/g, "\\$&")}"`;
      expect(parseSelect(written).columns).toEqual([column(any)]);
    }),
  );
});

const noise = fc.string({ unit: fc.constantFrom(...'abc_"\\(),.:!*-> \t$;é'), maxLength: 60 });

test("parsing any text as a select throws only RestError", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), noise), (text) => {
      try {
        parseSelect(text);
      } catch (error) {
        expect(error).toBeInstanceOf(RestError);
      }
    }),
    { numRuns: 3000 },
  );
});
