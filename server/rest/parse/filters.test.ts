import fc from "fast-check";
import { expect, test } from "vitest";
import { RestError } from "../rest-error.ts";
import { type Comparison, countTests, type Filter, parseFilter, parseGroup } from "./filters.ts";

const compare = (column: string, operator: Comparison, value: string, negated = false): Filter => ({
  kind: "compare",
  column,
  operator,
  value,
  negated,
});

test.each<[string, Filter]>([
  ["eq.1", compare("c", "eq", "1")],
  ["not.eq.1", compare("c", "eq", "1", true)],
  ["eq.", compare("c", "eq", "")],
  ["eq.not.null", compare("c", "eq", "not.null")],
  ['eq."quoted"', compare("c", "eq", '"quoted"')],
  ["gte.2024-01-01T00:00:00+00:00", compare("c", "gte", "2024-01-01T00:00:00+00:00")],
  ["ilike.*a,b)c*", compare("c", "ilike", "*a,b)c*")],
  ["eq.two\nlines", compare("c", "eq", "two\nlines")],
  ["in.(a,b)", { kind: "in", column: "c", values: ["a", "b"], negated: false }],
  ["in.()", { kind: "in", column: "c", values: [], negated: false }],
  ['in.("")', { kind: "in", column: "c", values: [""], negated: false }],
  [
    'not.in.("a,b","say \\"x\\"",c"d)',
    { kind: "in", column: "c", values: ["a,b", 'say "x"', 'c"d'], negated: true },
  ],
  ["is.null", { kind: "is", column: "c", value: "null", negated: false }],
  ["is.NULL", { kind: "is", column: "c", value: "null", negated: false }],
  ["not.is.null", { kind: "is", column: "c", value: "null", negated: true }],
  ["is.not_null", { kind: "is", column: "c", value: "not_null", negated: false }],
  ["is.true", { kind: "is", column: "c", value: "true", negated: false }],
])("%j is read", (text, expected) => {
  expect(parseFilter("c", text)).toEqual(expected);
});

test.each([
  "",
  "1",
  "eq",
  "equals.1",
  "noop.1",
  "fts.word",
  "match.^a",
  "eq(any).{1,2}",
  "like(any).{a,b}",
  "ilike(all).{a}",
  "cs.{a}",
  "cd.{a}",
  "ov.{a}",
  "isdistinct.1",
  "not.not.eq.1",
  "in.1,2",
  "in.(1,2",
  "in.(1,2)x",
  "is.maybe",
  "is.nullx",
  "is.1",
  `in.(${Array(501).fill("1").join(",")})`,
])("%j is refused", (text) => {
  expect(() => parseFilter("c", text)).toThrow(expect.objectContaining({ code: "PGRST100", status: 400 }));
});

test("a refusal says where, and what was expected there", () => {
  expect(() => parseFilter("c", "in.(1,2")).toThrow(
    expect.objectContaining({
      message: '"failed to parse filter (in.(1,2)" (line 1, column 8)',
      particulars: { details: 'Expected ")" or "," but end of input found.' },
    }),
  );
});

test.each<[string, Filter[]]>([
  [
    "(a.eq.1,b.is.null)",
    [compare("a", "eq", "1"), { kind: "is", column: "b", value: "null", negated: false }],
  ],
  ["( a.eq.1 , b.eq.2 )", [compare("a", "eq", "1 "), compare("b", "eq", "2 ")]],
  ['(a.eq."x,y)",b.not.lt.2)', [compare("a", "eq", "x,y)"), compare("b", "lt", "2", true)]],
  ['(tags.eq."{x,y}")', [compare("tags", "eq", "{x,y}")]],
  [
    "(a.in.(1,2),b.eq.3)",
    [{ kind: "in", column: "a", values: ["1", "2"], negated: false }, compare("b", "eq", "3")],
  ],
  [
    "(not.and(a.eq.1,b.eq.2),or(c.eq.3))",
    [
      {
        kind: "group",
        operator: "and",
        negated: true,
        members: [compare("a", "eq", "1"), compare("b", "eq", "2")],
      },
      { kind: "group", operator: "or", negated: false, members: [compare("c", "eq", "3")] },
    ],
  ],
])("the group %j is read", (text, members) => {
  expect(parseGroup("or", false, text)).toEqual({ kind: "group", operator: "or", members, negated: false });
});

test.each(["", "()", "a.eq.1", "(a.eq.1", "(a.eq.1))", "(a)", "(xor(a.eq.1))", "(a.eq.1;b.eq.2)x"])(
  "the group %j is refused",
  (text) => {
    expect(() => parseGroup("or", false, text)).toThrow(expect.objectContaining({ code: "PGRST100" }));
  },
);

test("groups are ten levels deep at most", () => {
  const nested = (depth: number) => `${"(or".repeat(depth - 1)}(a.eq.1)${")".repeat(depth - 1)}`;
  expect(countTests([parseGroup("or", false, nested(10))])).toBe(1);
  expect(() => parseGroup("or", false, nested(11))).toThrow(RestError);
  expect(() => parseGroup("or", false, nested(5000))).toThrow(RestError);
});

const operator = fc.constantFrom<Comparison>("eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike");
const column = fc.stringMatching(/^[a-z_]{1,10}$/);
const inQuotes = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;

test("a value comes through letter for letter", () => {
  fc.assert(
    fc.property(operator, fc.boolean(), fc.string({ unit: "binary" }), (each, negated, value) => {
      expect(parseFilter("c", `${negated ? "not." : ""}${each}.${value}`)).toEqual(
        compare("c", each, value, negated),
      );
    }),
  );
});

test("a list in quotes comes through letter for letter", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 20 }), (values) => {
      const read = parseFilter("c", `in.(${values.map(inQuotes).join(",")})`);
      expect(read).toEqual({ kind: "in", column: "c", values, negated: false });
    }),
  );
});

const { filter } = fc.letrec<{ filter: Filter; test: Filter; group: Filter }>((tie) => ({
  filter: fc.oneof({ depthSize: "small", withCrossShrink: true }, tie("test"), tie("group")),
  test: fc.record({
    kind: fc.constant("compare"),
    column,
    operator,
    value: fc.string(),
    negated: fc.boolean(),
  }),
  group: fc.record({
    kind: fc.constant("group"),
    operator: fc.constantFrom("and", "or"),
    negated: fc.boolean(),
    members: fc.array(tie("filter"), { minLength: 1, maxLength: 4 }),
  }),
}));

function write(each: Filter): string {
  const not = each.negated ? "not." : "";
  if (each.kind === "group") return `${not}${each.operator}(${each.members.map(write).join(",")})`;
  return each.kind === "compare" ? `${each.column}.${not}${each.operator}.${inQuotes(each.value)}` : "";
}

test("what is written in the grammar of groups is read as it was meant", () => {
  fc.assert(
    fc.property(fc.array(filter, { minLength: 1, maxLength: 4 }), (members) => {
      const read = parseGroup("and", true, `(${members.map(write).join(",")})`);
      expect(read).toEqual({ kind: "group", operator: "and", negated: true, members });
    }),
  );
});

const noise = fc.string({ unit: fc.constantFrom(...'abnotrdeqis.(),"\\{} \t'), maxLength: 80 });

test("nothing but the protocol's own error is thrown", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), noise), (text) => {
      for (const parse of [() => parseFilter("c", text), () => parseGroup("or", false, text)]) {
        try {
          parse();
        } catch (error) {
          expect(error).toBeInstanceOf(RestError);
        }
      }
    }),
    { numRuns: 3000 },
  );
});
