import { isValidSlug, itemPath, personPath } from "./addresses.ts";
import type { ContentTable } from "./content-reads.ts";
import { LISTED } from "./people-reads.ts";
import { type DataReader, type Filter, ROWS_PER_READ } from "./reader.ts";
import type { Profile } from "./schema.ts";

/** A sitemap lists as many items as one read from hosted Supabase returns. The format allows 50,000 (sitemaps.org). */
export const SITEMAP_ROWS = ROWS_PER_READ;

const PEOPLE = { table: "profiles", hasUpdatedAt: true };
const NAMED: Filter = {
  anyOf: [
    { column: "full_name", test: "neq", value: "" },
    { column: "username", test: "neq", value: "" },
  ],
};

type SitemapTable = Pick<ContentTable, "table" | "hasUpdatedAt"> & Partial<ContentTable>;

const changedAtOf = ({ hasUpdatedAt }: SitemapTable) => (hasUpdatedAt ? "updated_at" : "created_at");

function listedOf(kind: SitemapTable): { table: string; filters: readonly Filter[] } {
  const { table } = kind;
  if (kind.isPublishable) return { table, filters: [{ column: "published", test: "eq", value: true }] };
  return { table, filters: kind === PEOPLE ? [NAMED, ...LISTED] : [] };
}

export const countPeopleForSitemap = (reader: DataReader) => countForSitemap(reader, PEOPLE);

export async function countForSitemap(reader: DataReader, kind: SitemapTable) {
  const column = changedAtOf(kind);
  const { rows, count } = await reader.read<{ changedAt: string | null }>({
    ...listedOf(kind),
    columns: [],
    renamed: { changedAt: column },
    order: [{ column, descending: true }],
    limit: 1,
    wantsCount: true,
  });
  return { count: count ?? 0, changedAt: rows[0]?.changedAt ?? undefined };
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
  reader: DataReader,
  kind: ContentTable & { path: string },
  page: number,
): Promise<SitemapAddress[]> {
  const { rows: items } = await reader.read<SitemapRow>({
    ...listedOf(kind),
    columns: ["id", "title"],
    renamed: { changedAt: changedAtOf(kind) },
    // This order is exactly the reverse of that in lists, so PostgreSQL can scan their index backwards and needn't sort.
    order: ["created_at", { column: "id", descending: true }],
    limit: SITEMAP_ROWS,
    offset: page * SITEMAP_ROWS,
  });
  return items.map(({ changedAt, ...item }) => ({ path: itemPath(kind, item), changedAt }));
}

/**
 * The number of people per sitemap. Each read starts one row early, to see whether its first person shares a username with
 * the previous sitemap's last, who then owns it. That leaves one row fewer.
 */
export const SITEMAP_PEOPLE = SITEMAP_ROWS - 1;

export async function peopleForSitemap(reader: DataReader, page: number): Promise<SitemapAddress[]> {
  const first = page * SITEMAP_PEOPLE;
  const before = Math.min(first, 1);
  const { rows: people } = await reader.read<SitemapPerson>({
    ...listedOf(PEOPLE),
    columns: ["id", "username", "updated_at"],
    order: ["username", "username_since", "created_at", "id"],
    limit: SITEMAP_PEOPLE + before,
    offset: first - before,
  });
  return people
    .map(({ id, username, updated_at }, index) => {
      const isOldest = username !== people[index - 1]?.username;
      const slug = isOldest && isValidSlug(username) ? username : id;
      return { path: personPath(slug), changedAt: updated_at };
    })
    .slice(before);
}
