import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";

const folder = path.join(import.meta.dirname, "../../supabase/migrations");

/** The migrations of 0.1.0 have earlier times. No release ran before them. */
const AFTER_FIRST_RELEASE = "20261201";

/**
 * Statements after which the previous release fails on the same database. To remove something, a release stops using it,
 * and a migration of the next release removes it, with a comment `-- unused since VERSION` in the line before.
 */
const BREAKING = [
  /\bdrop\s+(table|column|view|schema|type|domain|function)\b/i,
  /\brename\s+(to|column)\b/i,
  /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i,
  /\bset\s+not\s+null\b/i,
  /\badd\s+column\b(?![^;]*\bdefault\b)[^;]*\bnot\s+null\b/i,
  /\brevoke\b/i,
];

/** Returns the statements that break the rule, without comments. */
function findBreaking(sql: string): string[] {
  const lines = sql.replace(/^\s*-- unused since \d+\.\d+\.\d+\n[^;]*;/gm, "").replace(/--.*$/gm, "");
  return lines
    .split(";")
    .map((statement) => statement.trim().replace(/\s+/g, " "))
    .filter((statement) => BREAKING.some((pattern) => pattern.test(statement)));
}

test.each([
  "alter table public.articles drop column tags",
  "drop function public.search_people",
  "alter table public.skills rename to abilities",
  "alter table public.skills rename column name to title",
  "alter table public.skills alter column name type varchar(10)",
  "alter table public.articles alter column tags set not null",
  "alter table public.articles add column level text not null",
  "revoke select on public.articles from anon",
])("the rule for migrations rejects: %s", (statement) => {
  expect(findBreaking(`create table public.talks (id uuid);\n${statement};\n`)).toEqual([statement]);
});

test("the rule for migrations accepts additions, and removals of what the previous release doesn't use", () => {
  const sql = `
    -- This doesn't drop table articles.
    alter table public.articles add column level text not null default 'any';
    alter table public.articles add column event text;
    -- unused since 0.2.0
    alter table public.articles drop column old;
  `;
  expect(findBreaking(sql)).toEqual([]);
});

test("the previous release works on the database after every migration", async () => {
  const names = (await readdir(folder)).filter((name) => name >= AFTER_FIRST_RELEASE);
  const broken = await Promise.all(
    names.map(async (name) => [name, findBreaking(await readFile(path.join(folder, name), "utf8"))] as const),
  );
  expect(broken.filter(([, statements]) => statements.length > 0)).toEqual([]);
});
