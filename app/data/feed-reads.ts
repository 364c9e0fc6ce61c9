import { isSegment, itemPath, personPath } from "./addresses.ts";
import { rowsOf } from "./answer.ts";
import type { DataClient } from "./client.ts";
import { type ContentTable, ROWS_PER_READ } from "./content-reads.ts";
import type { Profile } from "./schema.ts";

/** One read fills a sitemap, on a hosted project too; a sitemap may hold 50,000 addresses (sitemaps.org). */
export const SITEMAP_ROWS = ROWS_PER_READ;

export type SitemapTable = ContentTable | "profiles";

const NAMED = 'full_name.neq."",username.neq.""';

const changedAtOf = (table: SitemapTable) => (table === "useful_links" ? "created_at" : "updated_at");

function listed(client: DataClient, table: SitemapTable, columns: string, options?: { count: "exact" }) {
  const rows = client.from(table).select(columns, options);
  if (table === "articles") return rows.eq("published", true);
  return table === "profiles" ? rows.or(NAMED) : rows;
}

export async function countForSitemap(client: DataClient, table: SitemapTable) {
  const column = changedAtOf(table);
  const rows = listed(client, table, `changedAt:${column}`, { count: "exact" });
  const answer = await rows.order(column, { ascending: false, nullsFirst: false }).limit(1);
  const [newest] = rowsOf<{ changedAt: string | null }>(answer);
  return { count: answer.count ?? 0, changedAt: newest?.changedAt ?? undefined };
}

export interface SitemapAddress {
  path: string;
  changedAt: string | null;
}

/** Oldest first, so that a new item moves none of the others to another sitemap. */
export async function itemsForSitemap(
  client: DataClient,
  table: ContentTable,
  page: number,
): Promise<SitemapAddress[]> {
  const first = page * SITEMAP_ROWS;
  // As the list's index stands, read backwards.
  const answer = await listed(client, table, `id,changedAt:${changedAtOf(table)}`)
    .order("created_at")
    .order("id", { ascending: false })
    .range(first, first + SITEMAP_ROWS - 1);
  const items = rowsOf<{ id: string; changedAt: string }>(answer);
  return items.map(({ id, changedAt }) => ({ path: itemPath(table, id), changedAt }));
}

/** Fewer than rows are read: the row before a page's first one decides whose its username is. */
export const SITEMAP_PEOPLE = SITEMAP_ROWS - 1;

export async function peopleForSitemap(client: DataClient, page: number): Promise<SitemapAddress[]> {
  const first = page * SITEMAP_PEOPLE;
  const before = Math.min(first, 1);
  const answer = await listed(client, "profiles", "id,username,updated_at")
    .order("username")
    .order("created_at")
    .order("id")
    .range(first - before, first + SITEMAP_PEOPLE - 1);
  const people = rowsOf<Pick<Profile, "id" | "username" | "updated_at">>(answer);
  return people
    .map(({ id, username, updated_at }, index) => {
      const isOldest = username !== people[index - 1]?.username;
      const segment = isOldest && isSegment(username) ? username : id;
      return { path: personPath(segment), changedAt: updated_at };
    })
    .slice(before);
}
