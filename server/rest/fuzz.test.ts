// Sends random requests that mix words of the protocol with gibberish.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { startTestRest } from "../../tests/support/rest.ts";

const rest = await startTestRest();
const ada = await rest.signedIn();
await rest.admin.query("insert into public.skills (profile_id, name) values ($1, 'sql')", [ada.id]);
afterAll(() => rest.stop());

const RUNS = 1500;
const words = fc.constantFrom(
  ..."id profile_id author_id name title content published created_at featured_skills proficiency nope * order limit offset select columns on_conflict and or not eq neq gt lte like ilike in is null true unknown asc desc nullsfirst inner left profiles skills articles -1 0 3 99999999999 1.5 NaN {} {a,b} ( ) (1,2) , . : ! -> :: ... % %25 %00 %ff + ' \" \\ ; -- $1 😀".split(
    " ",
  ),
);
const gibberish = fc.array(words, { maxLength: 8 }).map((each) => each.join(""));
const path = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom("skills", "articles", "profiles", "useful_links", "code_samples"),
  },
  { weight: 1, arbitrary: fc.constantFrom("nope", "rpc/x", "") },
  { weight: 1, arbitrary: gibberish },
);
const column = fc.constantFrom(
  "id",
  "name",
  "title",
  "profile_id",
  "published",
  "featured_skills",
  "created_at",
  "nope",
);
const operator = fc.constantFrom(
  "eq",
  "neq",
  "gt",
  "gte",
  "lt",
  "lte",
  "like",
  "ilike",
  "in",
  "is",
  "not.eq",
  "not.is",
);
const operand = fc.oneof(
  fc.constantFrom("null", "true", "1", "{}", "{a}", "()", "(1,2)", '("a,b")', "2025-01-01", "*a*", "%\\"),
  fc.uuid(),
  fc.string({ unit: "grapheme" }),
);
const filter = fc.tuple(column, operator, operand);
const validParameter = fc.oneof(
  filter.map(([name, test, to]) => `${name}=${encodeURIComponent(`${test}.${to}`)}`),
  fc
    .array(filter, { minLength: 1, maxLength: 3 })
    .map(
      (each) =>
        `or=${encodeURIComponent(`(${each.map(([name, test, to]) => `${name}.${test}.${JSON.stringify(to)}`)})`)}`,
    ),
  fc.array(column, { minLength: 1, maxLength: 3 }).map((names) => `select=${names},profiles(${names})`),
  fc
    .array(column, { minLength: 1, maxLength: 3 })
    .map((names) => `select=*,skills!inner(*)&skills.order=${names}.desc`),
  fc.tuple(column, fc.constantFrom("", ".asc", ".desc.nullslast")).map((each) => `order=${each.join("")}`),
  fc.tuple(fc.constantFrom("limit", "offset"), fc.nat()).map((each) => each.join("=")),
  fc.constantFrom("on_conflict=id", "on_conflict=name", "columns=id,name,profile_id"),
);
const parameter = fc.oneof(
  { weight: 6, arbitrary: validParameter },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("select", "order", "or", "columns"), gibberish)
      .map((each) => each.join("=")),
  },
  { weight: 1, arbitrary: fc.tuple(gibberish, gibberish).map((each) => each.join("=")) },
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.double(),
  fc.jsonValue(),
  fc.constant("\0"),
);
const row = fc.dictionary(fc.oneof({ weight: 9, arbitrary: column }, gibberish), value, { maxKeys: 4 });
const body = fc.oneof(
  row.map((each) => JSON.stringify(each)),
  fc.array(row, { maxLength: 3 }).map((each) => JSON.stringify(each)),
  fc.json(),
  fc.string(),
);
const request = fc.record({
  method: fc.constantFrom("GET", "GET", "HEAD", "POST", "POST", "PATCH", "DELETE", "PUT", "OPTIONS"),
  path,
  parameters: fc.array(parameter, { maxLength: 3 }),
  body,
  member: fc.boolean(),
  prefer: fc.array(
    fc.constantFrom(
      "return=representation",
      "return=headers-only",
      "count=exact",
      "resolution=merge-duplicates",
      "resolution=ignore-duplicates",
      "missing=default",
      "nope",
    ),
    { maxLength: 4 },
  ),
  object: fc.boolean(),
  range: fc.option(fc.constantFrom("0-1", "5-", "2-1", "x"), { nil: undefined }),
});

const LEAK = /json_agg|row_to_json|lateral|"public"|returning |node_modules|\.ts\b|Failing row|Key \(/;

test("random requests never cause a server error or reveal internals", async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, parameters, body, member, prefer, object, range }) => {
      // Skip paths that contain . or .. as a segment: URL parsing resolves these, and the request might leave /rest/v1.
      fc.pre(!path.split(/[\\/]/).some((each) => each === "." || each === ".."));
      const response = await rest.request(
        `${encodeURI(path).replaceAll("%25", "%")}?${parameters.join("&")}`,
        {
          method,
          headers: {
            prefer: prefer.join(", "),
            "content-type": "application/json",
            ...(member ? { authorization: `Bearer ${ada.token}` } : {}),
            ...(object ? { accept: "application/vnd.pgrst.object+json" } : {}),
            ...(range === undefined ? {} : { range }),
          },
          ...(method === "POST" || method === "PATCH" || method === "PUT" ? { body } : {}),
        },
      );
      const text = await response.text();
      expect(response.status).toBeLessThan(500);
      if (response.status >= 400 && method !== "HEAD") {
        expect(Object.keys(JSON.parse(text))).toEqual(["code", "details", "hint", "message"]);
        expect(text).not.toMatch(LEAK);
      }
    }),
    { numRuns: RUNS },
  );
}, 60_000);
