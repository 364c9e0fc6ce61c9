// Compares the rows that random filters find with those that PostgreSQL finds with the same filters as SQL.
import fc from "fast-check";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { startTestRest } from "../../tests/support/rest.ts";

const RUNS = 500;
const TEXTS = ["", "a", "A", "ab", "%", "a_b", 'q"u', "c,d", "(e)", "null", "{x}", "ä\\", "not.eq.1"];
const TAGS = [[], ["a"], ["a", "b,c"], ['q"u', "{"], ["A", "a"]];
const YEARS = [null, 0, 1, 7];

const rest = await startTestRest();
const profiles = TEXTS.map((text, at) => ({
  username: text,
  bio: at % 3 === 0 ? null : (TEXTS[TEXTS.length - 1 - at] ?? null),
  years_experience: YEARS[at % YEARS.length] ?? null,
  featured: at % 2 === 0,
  featured_skills: TAGS[at % TAGS.length] ?? [],
}));
for (const profile of profiles) {
  const { id } = await rest.signedIn();
  const names = Object.keys(profile);
  await rest.admin.query(
    `update public.profiles set ${names.map((name, at) => `${name} = $${at + 2}`)} where id = $1`,
    [id, ...Object.values(profile)],
  );
}
afterAll(() => rest.stop());

/** A filter as a client writes it, with the same filter as SQL. */
interface Written {
  /** In a group, such as `username.not.eq."a"`. */
  inGroup: string;
  /** Outside of a group. */
  parameter: [name: string, value: string];
  sql: string;
}

const quote = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;
const literal = (value: string) => pg.escapeLiteral(value);

function condition(column: string, negated: boolean, operator: string, value: string, sql: string): Written {
  const not = negated ? "not." : "";
  const isPlain = operator === "is" || operator === "in";
  return {
    inGroup: `${column}.${not}${operator}.${isPlain ? value : quote(value)}`,
    parameter: [column, `${not}${operator}.${value}`],
    sql: negated ? `not (${sql})` : `(${sql})`,
  };
}

const COMPARISONS = { eq: "=", neq: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" };
const comparison = fc.constantFrom(...(Object.keys(COMPARISONS) as (keyof typeof COMPARISONS)[]));
const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: fc.constantFrom(...'aAb%_",(){}\\. ä') }));
const textColumn = fc.constantFrom("username", "bio");
const not = fc.boolean();

const compared = fc
  .tuple(textColumn, not, comparison, text)
  .map(([column, negated, operator, value]) =>
    condition(column, negated, operator, value, `${column} ${COMPARISONS[operator]} ${literal(value)}`),
  );
const counted = fc
  .tuple(not, comparison, fc.integer({ min: -1, max: 8 }))
  .map(([negated, operator, value]) =>
    condition(
      "years_experience",
      negated,
      operator,
      String(value),
      `years_experience ${COMPARISONS[operator]} ${value}`,
    ),
  );
// A pattern that ends in a backslash is an error.
const liked = fc
  .tuple(textColumn, not, fc.constantFrom("like", "ilike"), text)
  .filter(([, , , pattern]) => !pattern.endsWith("\\"))
  .map(([column, negated, operator, pattern]) =>
    condition(column, negated, operator, pattern, `${column} ${operator} ${literal(pattern)}`),
  );
const listed = fc
  .tuple(textColumn, not, fc.array(text, { maxLength: 4 }))
  .map(([column, negated, values]) =>
    condition(
      column,
      negated,
      "in",
      `(${values.map(quote)})`,
      values.length === 0 ? `${column} = any ('{}')` : `${column} in (${values.map(literal)})`,
    ),
  );
const tested = fc
  .tuple(
    fc.constantFrom("username", "bio", "years_experience", "featured"),
    not,
    fc.constantFrom("null", "not_null"),
  )
  .map(([column, negated, value]) =>
    condition(column, negated, "is", value, `${column} is ${value.replace("_", " ")}`),
  );
const truth = fc
  .tuple(not, fc.constantFrom("true", "false", "unknown"))
  .map(([negated, value]) => condition("featured", negated, "is", value, `featured is ${value}`));
const contained = fc
  .tuple(not, fc.constantFrom(["cs", "@>"], ["cd", "<@"], ["ov", "&&"]), fc.constantFrom(...TAGS))
  .map(([negated, [name = "", operator], tags]) => {
    const array = `{${tags.map(quote)}}`;
    return condition(
      "featured_skills",
      negated,
      name,
      array,
      `featured_skills ${operator} ${literal(array)}::text[]`,
    );
  });

function group([operator, negated, members]: ["and" | "or", boolean, Written[]]): Written {
  const not = negated ? "not." : "";
  const written = `(${members.map(({ inGroup }) => inGroup)})`;
  const sql = `(${members.map((member) => member.sql).join(` ${operator} `)})`;
  return {
    inGroup: `${not}${operator}${written}`,
    parameter: [`${not}${operator}`, written],
    sql: negated ? `not ${sql}` : sql,
  };
}

const { tree } = fc.letrec<{ tree: Written }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(compared, counted, liked, listed, tested, truth, contained),
    fc
      .tuple(
        fc.constantFrom<["and", "or"]>("and", "or"),
        not,
        fc.array(tie("tree"), { minLength: 1, maxLength: 3 }),
      )
      .map(group),
  ),
}));

/** Requests have at most 20 filters. */
const trees = fc.array(tree, { minLength: 1, maxLength: 3 }).filter(
  (each) =>
    each
      .map(({ sql }) => sql)
      .join("")
      .split(/ (?:and|or) /).length <= 16,
);

test("random filters find the rows that the same filters find in SQL", async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(trees, async (filters) => {
      const parameters = new URLSearchParams([
        ["select", "id"],
        ["order", "id"],
        ...filters.map(({ parameter }) => parameter),
      ]);
      const response = await rest.request(`profiles?${parameters}`);
      const rows = await response.json();
      expect([response.status, rows]).toEqual([200, expect.any(Array)]);
      const where = filters.map(({ sql }) => sql).join(" and ");
      const expected = await rest.admin.query(`select id from public.profiles where ${where} order by id`);
      expect(rows).toEqual(expected.rows);
      found += rows.length;
    }),
    { numRuns: RUNS },
  );
  // Filters that never found anything would also be equal.
  expect(found).toBeGreaterThan(RUNS);
}, 120_000);
