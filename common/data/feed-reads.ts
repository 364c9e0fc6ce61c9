import { isValidSlug, itemPath, personPath } from "./addresses.ts";
import type { DataClient } from "./client.ts";
import type { ContentTable } from "./content-reads.ts";
import { onlyListed } from "./people-reads.ts";
import { ROWS_PER_READ, rowsOf } from "./rows-of.ts";
import type { Profile } from "./schema.ts";
import { tableNamed } from "./table-named.ts";

/** A sitemap lists as many items as one read from hosted Supabase returns. The format allows 50,000 (sitemaps.org). */
export const SITEMAP_ROWS = ROWS_PER_READ;

const PEOPLE = { table: "profiles", hasUpdatedAt: true };
const NAMED = 'full_name.neq."",username.neq.""';

type SitemapTable = Pick<ContentTable, "table" | "hasUpdatedAt"> & Partial<ContentTable>;

const changedAtOf = ({ hasUpdatedAt }: SitemapTable) => (hasUpdatedAt ? "updated_at" : "created_at");

function selectListed<Row>(
  client: DataClient,
  kind: SitemapTable,
  columns: string,
  options?: { count: "exact" },
) {
  const rows = tableNamed(client, kind.table).select<string, Row>(columns, options);
  if (kind.isPublishable) return rows.eq("published", true);
  return kind === PEOPLE ? onlyListed(rows.or(NAMED)) : rows;
}

export const countPeopleForSitemap = (client: DataClient) => countForSitemap(client, PEOPLE);

export async function countForSitemap(client: DataClient, kind: SitemapTable) {
  const column = changedAtOf(kind);
  const rows = selectListed<{ changedAt: string | null }>(client, kind, `changedAt:${column}`, {
    count: "exact",
  });
  const response = await rows.order(column, { ascending: false, nullsFirst: false }).limit(1);
  const [newest] = rowsOf(response);
  return { count: response.count ?? 0, changedAt: newest?.changedAt ?? undefined };
}

interface SitemapRow {
  id: string;
  title: string;
  changedAt: string;
}

type SitemapPerson = Pick<Profile, "id" | "username" | "updated_at">;

export interface SitemapAddress {
  path: string;
  changedAt: string | null;
}

/** Returns the oldest items first, so that a new item moves others to another sitemap only if it has an old date. */
export async function itemsForSitemap(
  client: DataClient,
  kind: ContentTable & { path: string },
  page: number,
): Promise<SitemapAddress[]> {
  const first = page * SITEMAP_ROWS;
  // This order is exactly the reverse of that in lists, so PostgreSQL can scan their index backwards and needn't sort.
  const response = await selectListed<SitemapRow>(client, kind, `id,title,changedAt:${changedAtOf(kind)}`)
    .order("created_at")
    .order("id", { ascending: false })
    .range(first, first + SITEMAP_ROWS - 1);
  const items = rowsOf(response);
  return items.map(({ changedAt, ...item }) => ({ path: itemPath(kind, item), changedAt }));
}

/**
 * The number of people per sitemap. Each read starts one row early, to see whether its first person shares a username with
 * the previous sitemap's last, who then owns it. That leaves one row fewer.
 */
export const SITEMAP_PEOPLE = SITEMAP_ROWS - 1;

export async function peopleForSitemap(client: DataClient, page: number): Promise<SitemapAddress[]> {
  const first = page * SITEMAP_PEOPLE;
  const before = Math.min(first, 1);
  const response = await selectListed<SitemapPerson>(client, PEOPLE, "id,username,updated_at")
    .order("username")
    .order("username_since")
    .order("created_at")
    .order("id")
    .range(first - before, first + SITEMAP_PEOPLE - 1);
  const people = rowsOf(response);
  return people
    .map(({ id, username, updated_at }, index) => {
      const isOldest = username !== people[index - 1]?.username;
      const slug = isOldest && isValidSlug(username) ? username : id;
      return { path: personPath(slug), changedAt: updated_at };
    })
    .slice(before);
}
