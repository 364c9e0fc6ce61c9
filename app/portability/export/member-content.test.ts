import { expect, test } from "vitest";
import { createDataClient } from "../../../common/data/client.ts";
import { KINDS } from "../../../common/kinds/index.ts";
import { ADA, GRACE } from "../../../tests/support/imports.ts";
import { readMemberContent } from "./member-content.ts";

interface StoredRow {
  id: string;
  created_at: string;
  [column: string]: unknown;
}

const MOST_ROWS = 20;
const idOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
/** The newest row has the lowest id. */
const rowsOf = (ownerColumn: string, owner: string, from: number, count: number): StoredRow[] =>
  Array.from({ length: count }, (_, at) => ({
    id: idOf(from + at),
    [ownerColumn]: owner,
    title: `Row ${from + at}`,
    created_at: new Date(Date.UTC(2026, 0, 1) - (from + at) * 60_000).toISOString(),
  }));

/** A data API that reads `tables` as PostgREST does: equality, `gt`, an order, a limit, and selected columns. */
function apiWith(tables: Record<string, StoredRow[]>) {
  return createDataClient({ url: "http://backend.test", key: "key" }, async (input) => {
    const { pathname, searchParams } = new URL(String(input));
    const rows = tables[pathname.slice("/rest/v1/".length)];
    if (rows === undefined) return Response.json({ code: "PGRST205", message: "No table" }, { status: 404 });
    const order = searchParams.get("order");
    const limit = Math.min(MOST_ROWS, Number(searchParams.get("limit")));
    const filters = [...searchParams].filter(([name]) => !/^(?:select|order|limit)$/.test(name));
    const found = rows.filter((row) =>
      filters.every(([column, condition]) => {
        const value = condition.replace(/^\w+\./, "");
        return condition.startsWith("gt.") ? String(row[column]) > value : row[column] === value;
      }),
    );
    if (order === "id.asc") found.sort((a, b) => (a.id < b.id ? -1 : 1));
    if (searchParams.get("select") !== "*")
      return Response.json({ message: "No such column" }, { status: 400 });
    return Response.json(found.slice(0, limit));
  });
}

const kindTables = (rows: (ownerColumn: string) => StoredRow[]) =>
  Object.fromEntries(KINDS.map(({ table, ownerColumn }) => [table, rows(ownerColumn)]));

test("a download contains all rows of the member, the oldest first, but not those of another member", async () => {
  const profile = { id: ADA, username: "ada", created_at: "2026-01-01T00:00:00Z" };
  const skills = rowsOf("profile_id", ADA, 1, MOST_ROWS + 5);
  const items = (ownerColumn: string) => rowsOf(ownerColumn, ADA, 1, 2 * MOST_ROWS + 1);
  const shuffled = (own: StoredRow[], ownerColumn: string) =>
    [...rowsOf(ownerColumn, GRACE, 500, 3), ...own].toSorted((a, b) =>
      (a.id.at(-1) ?? "").localeCompare(b.id.at(-1) ?? ""),
    );
  const api = apiWith({
    profiles: [{ id: GRACE, created_at: "" }, profile],
    skills: shuffled(skills, "profile_id"),
    ...kindTables((ownerColumn) => shuffled(items(ownerColumn), ownerColumn)),
  });
  expect(await readMemberContent(api, ADA)).toEqual({
    profile,
    skills: skills.toReversed(),
    items: kindTables((ownerColumn) => items(ownerColumn).toReversed()),
  });
});

test("the download of an account without a profile contains a profile with only the account's id", async () => {
  const api = apiWith({ profiles: [], skills: [], ...kindTables(() => []) });
  expect((await readMemberContent(api, ADA)).profile).toEqual({ id: ADA });
});

test("a download fails if a table cannot be read", async () => {
  const api = apiWith({ profiles: [], ...kindTables(() => []) });
  await expect(readMemberContent(api, ADA)).rejects.toThrow("PGRST205: No table");
});
