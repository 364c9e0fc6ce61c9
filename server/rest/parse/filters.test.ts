import fc from "fast-check";
import { expect, test } from "vitest";
import { RestError } from "../rest-error.ts";
import { countConditions, type Filter, parseFilter, parseGroup } from "./grammar.ts";

const OPERATORS = {
  eq: "=",
  neq: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  like: "like",
  ilike: "ilike",
};

type Comparison = keyof typeof OPERATORS;

const compare = (column: string, name: Comparison, value: string, negated = false): Filter => ({
  column,
  operator: OPERATORS[name],
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
  ["ilike.*a,b)c*", compare("c", "ilike", "%a,b)c%")],
  ["eq.two\nlines", compare("c", "eq", "two\nlines")],
  ["in.(a,b)", { column: "c", operator: "= any", value: ["a", "b"], negated: false }],
  ["in.()", { column: "c", operator: "= any", value: [], negated: false }],
  ['in.("")', { column: "c", operator: "= any", value: [""], negated: false }],
  [
    'not.in.("a,b","say \\"x\\"",c"d)',
    { column: "c", operator: "= any", value: ["a,b", 'say "x"', 'c"d'], negated: true },
  ],
  ["is.null", { column: "c", operator: "is null", negated: false }],
  ["is.NULL", { column: "c", operator: "is null", negated: false }],
  ["not.is.null", { column: "c", operator: "is null", negated: true }],
  ["is.not_null", { column: "c", operator: "is not null", negated: false }],
  ["is.true", { column: "c", operator: "is true", negated: false }],
])("the filter %j is parsed", (text, expected) => {
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
  "isdistinct.1",
  "not.not.eq.1",
  "in.1,2",
  "in.(1,2",
  "in.(1,2)x",
  "is.maybe",
  "is.nullx",
  "is.1",
])("the filter %j is rejected", (text) => {
  expect(() => parseFilter("c", text)).toThrow(expect.objectContaining({ code: "PGRST100", status: 400 }));
});

test("a filter accepts a list of 500 values and rejects one of 501", () => {
  const withValues = (count: number) => parseFilter("c", `in.(${Array(count).fill("1").join(",")})`);
  expect(withValues(500)).toMatchObject({ operator: "= any" });
  expect(() => withValues(501)).toThrow(expect.objectContaining({ code: "PGRST100", status: 400 }));
});

test("the error of an invalid filter states the position and what was expected", () => {
  expect(() => parseFilter("c", "in.(1,2")).toThrow(
    expect.objectContaining({
      message: '"failed to parse filter (in.(1,2)" (line 1, column 8)',
      extras: { details: 'Expected ")" or "," but end of input found.' },
    }),
  );
});

test.each<[string, Filter[]]>([
  ["(a.eq.1,b.is.null)", [compare("a", "eq", "1"), { column: "b", operator: "is null", negated: false }]],
  ["( a.eq.1 , b.eq.2 )", [compare("a", "eq", "1 "), compare("b", "eq", "2 ")]],
  ['(a.eq."x,y)",b.not.lt.2)', [compare("a", "eq", "x,y)"), compare("b", "lt", "2", true)]],
  ['(tags.eq."{x,y}")', [compare("tags", "eq", "{x,y}")]],
  [
    "(a.in.(1,2),b.eq.3)",
    [{ column: "a", operator: "= any", value: ["1", "2"], negated: false }, compare("b", "eq", "3")],
  ],
  [
    "(not.and(a.eq.1,b.eq.2),or(c.eq.3))",
    [
      {
        operator: "and",
        negated: true,
        members: [compare("a", "eq", "1"), compare("b", "eq", "2")],
      },
      { operator: "or", negated: false, members: [compare("c", "eq", "3")] },
    ],
  ],
])("the group of filters %j is parsed", (text, members) => {
  expect(parseGroup("or", false, text)).toEqual({ operator: "or", members, negated: false });
});

test.each(["", "()", "a.eq.1", "(a.eq.1", "(a.eq.1))", "(a)", "(xor(a.eq.1))", "(a.eq.1;b.eq.2)x"])(
  "the group of filters %j is rejected",
  (text) => {
    expect(() => parseGroup("or", false, text)).toThrow(expect.objectContaining({ code: "PGRST100" }));
  },
);

test("groups of filters can be nested up to ten levels", () => {
  const nested = (depth: number) => `${"(or".repeat(depth - 1)}(a.eq.1)${")".repeat(depth - 1)}`;
  expect(countConditions([parseGroup("or", false, nested(10))])).toBe(1);
  expect(() => parseGroup("or", false, nested(11))).toThrow(RestError);
  expect(() => parseGroup("or", false, nested(5000))).toThrow(RestError);
});

const operator = fc.constantFrom(...(Object.keys(OPERATORS) as Comparison[]));
const column = fc.stringMatching(/^[a-z_]{1,10}$/);
const inQuotes = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;

test("a filter's value is parsed unchanged, except that like and ilike turn * into %", () => {
  fc.assert(
    fc.property(operator, fc.boolean(), fc.string({ unit: "binary" }), (each, negated, value) => {
      const parsedValue = each.endsWith("like") ? value.replaceAll("*", "%") : value;
      expect(parseFilter("c", `${negated ? "not." : ""}${each}.${value}`)).toEqual(
        compare("c", each, parsedValue, negated),
      );
    }),
  );
});

test("a list of quoted values is parsed unchanged", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 20 }), (values) => {
      const read = parseFilter("c", `in.(${values.map(inQuotes).join(",")})`);
      expect(read).toEqual({ column: "c", operator: "= any", value: values, negated: false });
    }),
  );
});

const { filter } = fc.letrec<{ filter: Filter; test: Filter; group: Filter }>((tie) => ({
  filter: fc.oneof({ depthSize: "small", withCrossShrink: true }, tie("test"), tie("group")),
  test: fc.record({
    column,
    operator: operator.map((name) => OPERATORS[name]),
    // Omit asterisks, which `like` and `ilike` turn into percent signs.
    value: fc.string().map((text) => text.replaceAll("*", "")),
    negated: fc.boolean(),
  }),
  group: fc.record({
    operator: fc.constantFrom("and", "or"),
    negated: fc.boolean(),
    members: fc.array(tie("filter"), { minLength: 1, maxLength: 4 }),
  }),
}));

function write(each: Filter): string {
  const not = each.negated ? "not." : "";
  if ("members" in each) return `${not}${each.operator}(${each.members.map(write).join(",")})`;
  const [name] = Object.entries(OPERATORS).find(([, operator]) => operator === each.operator) ?? [];
  return `${each.column}.${not}${name}.${inQuotes(String(each.value))}`;
}

test("parsing a generated group of filters returns the same group", () => {
  fc.assert(
    fc.property(fc.array(filter, { minLength: 1, maxLength: 4 }), (members) => {
      const read = parseGroup("and", true, `(${members.map(write).join(",")})`);
      expect(read).toEqual({ operator: "and", negated: true, members });
    }),
  );
});

const noise = fc.string({ unit: fc.constantFrom(...'abnotrdeqis.(),"\\{} \t'), maxLength: 80 });

test("parsing any text as a filter throws only RestError", () => {
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
