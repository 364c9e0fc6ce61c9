import fc from "fast-check";
import { expect, test } from "vitest";
import { RestError } from "../rest-error.ts";
import { parseQuery, readParameters } from "./query.ts";

const parse = (search: string) =>
  parseQuery(readParameters(`http://techfolio.test/rest/v1/articles?${search}`));

test("a URL without parameters selects everything", () => {
  expect(parse("")).toEqual({ filters: [], embedded: new Map() });
});

test("the filter, order, limit and offset of a request for a list are parsed", () => {
  const query = parse(
    "select=*%2Cprofiles%28username%29&published=eq.true&order=created_at.desc.nullslast%2Cid&limit=3&offset=6",
  );
  expect(query.filters).toEqual([{ column: "published", operator: "=", value: "true", negated: false }]);
  expect(query.order).toEqual([
    { column: "created_at", direction: " desc nulls last" },
    { column: "id", direction: "" },
  ]);
  expect(parse("order=profiles(username).desc,author(id)").order).toEqual([
    { related: "profiles", column: "username", direction: " desc" },
    { related: "author", column: "id", direction: "" },
  ]);
  expect(query).toMatchObject({ limit: 3, offset: 6 });
});

test("a parameter with a dot applies to the embedded resource that is named before the dot", () => {
  const query = parse(
    "profiles.username=eq.ada&skills.order=name&skills.limit=2&profiles.not.or=(a.eq.1,b.eq.2)",
  );
  expect(query.filters).toEqual([]);
  expect(query.embedded.get("skills")).toMatchObject({ limit: 2, order: [{ column: "name" }] });
  expect(query.embedded.get("profiles")?.filters).toMatchObject([
    { column: "username" },
    { operator: "or", negated: true },
  ]);
});

test("a quoted column name can contain dots", () => {
  expect(parse("%22a.b%22=eq.1").filters).toMatchObject([{ column: "a.b" }]);
});

test("a column can have several filters", () => {
  expect(parse("id=neq.1&id=neq.2").filters).toHaveLength(2);
});

test.each([
  "limit=1&limit=9",
  "limit=1&limit=1",
  "offset=1&offset=2",
  "select=id&select=title",
  "order=id&title=eq.a&order=title",
  "select=skills(*)&skills.limit=1&skills.limit=2",
  "columns=id&columns=title",
  "on_conflict=id&on_conflict=title",
])("the query %s is rejected, because only one of its values could apply", (search) => {
  expect(() => parse(search)).toThrow(expect.objectContaining({ code: "PGRST100" }));
});

test("the parameters columns and on_conflict are lists of names", () => {
  expect(parse('columns="id","title","id"&on_conflict=id, title')).toMatchObject({
    columns: ["id", "title"],
    onConflict: ["id", "title"],
  });
});

test.each([
  ["limit=x", 400, "PGRST100"],
  ["limit=1.5", 400, "PGRST100"],
  ["limit=99999999999999999999", 400, "PGRST100"],
  ["limit=-1", 416, "PGRST103"],
  ["offset=-1", 416, "PGRST103"],
  ["order=", 400, "PGRST100"],
  ["order=id.up", 400, "PGRST100"],
  ["order=id.desc.asc", 400, "PGRST100"],
  ["order=profiles(username", 400, "PGRST100"],
  ["order=profiles(username,id)", 400, "PGRST100"],
  ["=eq.1", 400, "PGRST100"],
  ["id", 400, "PGRST100"],
  ["id->x=eq.1", 400, "PGRST100"],
  ["a.b.c=eq.1", 400, "PGRST127"],
  ["columns=", 400, "PGRST100"],
  ["on_conflict=id;", 400, "PGRST100"],
  ["id=eq.%00", 400, "PGRST100"],
  ["id=eq.%ff", 400, "PGRST100"],
  ["id=eq.%c3%28", 400, "PGRST100"],
  ["id=eq.%zz", 400, "PGRST100"],
  ["%ed%a0%80=eq.1", 400, "PGRST100"],
])("the query %s is rejected with %d", (search, status, code) => {
  expect(() => parse(search)).toThrow(expect.objectContaining({ status, code }));
});

test.each([
  ["21 filters", Array(21).fill("id=eq.1").join("&"), 400],
  ["a group of 21 filters", `or=(${Array(21).fill("id.eq.1").join(",")})`, 400],
  ["9,000 characters", `id=eq.${"x".repeat(9000)}`, 414],
])("a query with %s is rejected", (_, search, status) => {
  expect(() => parse(search)).toThrow(expect.objectContaining({ status, code: "PGRST100" }));
});

test("a query may have 20 filters, also in groups and of embedded resources, and a URL 8,192 characters", () => {
  expect(parse(Array(20).fill("id=eq.1").join("&")).filters).toHaveLength(20);
  const group = `or=(${Array(12).fill("id.eq.1").join(",")})`;
  const related = (count: number) => Array(count).fill("profiles.id=eq.1").join("&");
  expect(parse(`${group}&${related(8)}`).filters).toHaveLength(1);
  expect(() => parse(`${group}&${related(9)}`)).toThrow("The URL contains more than 20 filters");
  const start = "http://techfolio.test/rest/v1/articles?id=eq.";
  const url = start + "x".repeat(8_192 - start.length);
  expect(readParameters(url)).toHaveLength(1);
  expect(() => readParameters(`${url}x`)).toThrow("The URL is longer than 8192 characters");
});

test.each([
  ["id=eq.%ff", "The URL is not valid UTF-8"],
  ["id=eq.%00", "The URL contains a NUL character"],
  ["id=eq.1&limit=1&limit=2", 'The parameter "limit" occurs more than once'],
  ["a.order=b&a.order=c", 'The parameter "a.order" occurs more than once'],
])("the query %s is rejected because: %s", (search, message) => {
  expect(() => parse(search)).toThrow(expect.objectContaining({ message }));
});

test("and, or, not.and and not.or name groups of filters, and other parameters may follow a resource that is called not", () => {
  const filters = (search: string) => parse(search).filters;
  expect(filters("and=(a.eq.1,b.eq.2)")).toMatchObject([{ operator: "and", negated: false }]);
  expect(filters("not.and=(a.eq.1,b.eq.2)")).toMatchObject([{ operator: "and", negated: true }]);
  expect(filters("not.or=(a.eq.1,b.eq.2)")).toMatchObject([{ operator: "or", negated: true }]);
  expect(filters("or=(a.eq.1,b.eq.2)")).toMatchObject([{ operator: "or", negated: false }]);
  // A resource may have this name.
  expect(parse("not.limit=1").embedded.get("not")).toMatchObject({ limit: 1 });
});

const term = fc.record({
  column: fc.stringMatching(/^[a-z_]{1,10}$/),
  direction: fc.constantFrom(["", ""], [".asc", ""], [".desc", " desc"]),
  nulls: fc.constantFrom(["", ""], [".nullsfirst", " nulls first"], [".nullslast", " nulls last"]),
});

test("parsing a generated order returns the same order", () => {
  fc.assert(
    fc.property(fc.array(term, { minLength: 1, maxLength: 20 }), (terms) => {
      const written = terms.map(({ column, direction, nulls }) => `${column}${direction[0]}${nulls[0]}`);
      expect(parse(`order=${written.join(",")}`).order).toEqual(
        terms.map(({ column, direction, nulls }) => ({ column, direction: `${direction[1]}${nulls[1]}` })),
      );
    }),
  );
});

test("all parameters of a URL are read unchanged", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc
          .tuple(fc.string({ minLength: 1, unit: "grapheme" }), fc.string({ unit: "grapheme" }))
          .filter((pair) => !pair.join("").includes("\0")),
        { maxLength: 10 },
      ),
      (pairs) => {
        expect(readParameters(`http://techfolio.test/?${new URLSearchParams(pairs)}`)).toEqual(pairs);
      },
    ),
  );
});

const noise = fc.string({ unit: fc.constantFrom(...'abeqorndis.=&(),%0f"+-> '), maxLength: 80 });

test("parsing any query throws only RestError", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), noise), (search) => {
      try {
        parse(search);
      } catch (error) {
        expect(error).toBeInstanceOf(RestError);
      }
    }),
    { numRuns: 3000 },
  );
});
