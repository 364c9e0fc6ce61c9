import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";

const folder = path.join(import.meta.dirname, "../../supabase/migrations");

/** No release ran before the migrations of 0.1.0. */
const LAST_OF_FIRST_RELEASE = "20261127000000_operators.sql";

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
  const statements = sql
    .replace(/^\s*-- unused since \d+\.\d+\.\d+\n[^;]*;/gm, "")
    .replace(/--.*$/gm, "")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\bas \$\$[\s\S]*?\$\$/g, "")
    .split(";")
    .map((statement) => statement.trim().replace(/\s+/g, " "));
  const created = statements.flatMap(
    (statement) => /^create (?:table|function) ([\w.]+)/i.exec(statement)?.[1] ?? [],
  );
  return statements.filter(
    (statement) => BREAKING.some((pattern) => pattern.test(statement)) && !revokesOnly(created, statement),
  );
}

/** Whether a statement revokes only what everyone may do with the new tables and functions `names`. */
function revokesOnly(names: string[], statement: string): boolean {
  const [, targets = ""] = /^revoke \w+ on (?:function |table )?(.+) from /i.exec(statement) ?? [];
  return targets
    .replaceAll(/\([^)]*\)/g, "")
    .split(",")
    .every((target) => names.includes(target.trim()));
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
    create table public.talks (id uuid);
    create function private.talk(id uuid, day date) returns text language sql as $$ select 'drop table talks;' $$;
    revoke all on table public.talks from public, anon;
    revoke execute on function private.talk(uuid, date) from public;
  `;
  expect(findBreaking(sql)).toEqual([]);
});

test("the previous release works on the database after every migration", async () => {
  const names = (await readdir(folder)).filter((name) => name > LAST_OF_FIRST_RELEASE);
  const broken = await Promise.all(
    names.map(async (name) => [name, findBreaking(await readFile(path.join(folder, name), "utf8"))] as const),
  );
  expect(broken.filter(([, statements]) => statements.length > 0)).toEqual([]);
});
