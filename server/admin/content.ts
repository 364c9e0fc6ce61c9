import { isUuid } from "../../common/data/addresses.ts";
import { storedName } from "../../common/data/author.ts";
import type { ListedItem } from "../../common/data/operators.ts";
import { KINDS, kindSlug } from "../../common/kinds/index.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { commandLine } from "../config/command-line.ts";
import { UsageError } from "../config/operator-error.ts";
import type { AdminClient } from "./admin-client.ts";
import { MissingError } from "./missing-error.ts";
import { listPictures } from "./pictures.ts";
import { readAll } from "./read-all.ts";
import { anyContains } from "./text-filter.ts";

export const PICTURES = "pictures";
export const PROFILES = "profiles";

/** The types of content that lists can be limited to. */
export const CONTENT_TYPES = [...KINDS.map(kindSlug), PICTURES];

type Cursor = Pick<ListedItem, "created_at" | "type" | "id">;

export interface ContentQuery {
  /** A part of a text, a path or an address, or an item's ID. */
  search?: string | undefined;
  /** One of CONTENT_TYPES. */
  type?: string | undefined;
  authorId?: string | undefined;
  cursor?: Cursor | undefined;
  size: number;
}

/** Items with the same time are in this order of types, and then by ascending id (pictures: by descending path). */
const TYPE_ORDER = [PICTURES, ...KINDS.map(kindSlug)];

function inListOrder(a: ListedItem, b: ListedItem): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return TYPE_ORDER.indexOf(a.type) - TYPE_ORDER.indexOf(b.type);
}

/**
 * Returns the newest items and pictures that are older than the cursor's. Throws OperatorError or PostgrestError, and
 * UsageError for an unknown type.
 */
export async function listContent(site: AdminClient, query: ContentQuery): Promise<ListedItem[]> {
  const { type, size } = query;
  if (type && !CONTENT_TYPES.includes(type)) {
    throw new UsageError(`"list": --type must be one of ${CONTENT_TYPES.join(", ")}, not "${type}"`);
  }
  const kinds = KINDS.filter((kind) => !type || kindSlug(kind) === type);
  const lists = await Promise.all([
    ...(!type || type === PICTURES ? [picturesOf(site, query)] : []),
    ...kinds.map((kind) => itemsOf(site, kind, query)),
  ]);
  // The sort is stable, so items with the same time and type keep the database's order.
  return lists.flat().sort(inListOrder).slice(0, size);
}

/** Throws OperatorError if no item or picture has this id. */
export async function findListed(site: AdminClient, id: string): Promise<ListedItem> {
  const [item] = await listContent(site, { search: id, size: 1 });
  if (item?.id === id) return item;
  throw new MissingError(
    `There is no item with the ID ${id}`,
    `${commandLine("content", "list")} shows all items.`,
  );
}

/** Returns all items that match, in list order, up to `limit`. Without a type, the list contains no pictures. */
export async function allContent(
  site: AdminClient,
  { type, ...query }: Omit<ContentQuery, "size">,
  limit = Number.POSITIVE_INFINITY,
): Promise<ListedItem[]> {
  const types = type ? [type] : KINDS.map(kindSlug);
  const lists = await Promise.all(types.map((type) => allOfType(site, { ...query, type }, limit)));
  const items = lists.flat().sort(inListOrder);
  return items.length > limit ? items.slice(0, limit) : items;
}

const allOfType = (site: AdminClient, query: Omit<ContentQuery, "size">, limit: number) =>
  readAll<ListedItem>(
    (size, items) => listContent(site, { ...query, cursor: items.at(-1) ?? query.cursor, size }),
    limit,
  );

async function picturesOf(site: AdminClient, { search, authorId, cursor, size }: ContentQuery) {
  if (search && isUuid(search)) return [];
  const pictures = await listPictures(site, {
    search,
    owner: authorId,
    // An empty path excludes all pictures with the cursor's time: they are listed before items of other types.
    cursor: cursor && { created_at: cursor.created_at, path: cursor.type === PICTURES ? cursor.id : "" },
    size,
  });
  return pictures.map(
    ({ path, ...picture }): ListedItem => ({
      id: path,
      title: path,
      type: PICTURES,
      published: null,
      ...picture,
    }),
  );
}

interface Row {
  id: string;
  title: string;
  created_at: string;
  published?: boolean;
  author_id: string;
  author: { username: string | null; full_name: string | null } | null;
}

/** PostgreSQL searches this many long articles in less than a second, of the five that a statement may take. */
const ROWS_PER_SEARCH = 20_000;

type Place = Pick<ListedItem, "created_at" | "id">;

/** No index covers all columns, so a search reads all items. It reads a part of them at a time. */
async function itemsOf(
  site: AdminClient,
  kind: KindDefinition,
  { cursor, ...query }: ContentQuery,
): Promise<ListedItem[]> {
  const { search, size } = query;
  if (!search || isUuid(search)) return partOf(site, kind, { ...query, cursor });
  const found: ListedItem[] = [];
  let start = cursor;
  for (;;) {
    const last = await placeAfter(site, kind, { ...query, cursor: start }, ROWS_PER_SEARCH);
    const part = await partOf(site, kind, { ...query, cursor: start, size: size - found.length }, last);
    found.push(...part);
    if (last === undefined || found.length >= size) return found;
    start = { ...last, type: kindSlug(kind) };
  }
}

/** Returns the place of the item that follows `count` others, or undefined if there are fewer. */
async function placeAfter(
  { data }: AdminClient,
  kind: KindDefinition,
  { authorId, cursor }: ContentQuery,
  count: number,
): Promise<Place | undefined> {
  let items = data.from(kind.table).select("id,created_at");
  if (authorId) items = items.eq(kind.ownerColumn, authorId);
  if (cursor) items = items.lte("created_at", cursor.created_at).or(afterCursor(kind, cursor));
  const { data: rows } = await items
    .order("created_at", { ascending: false })
    .order("id")
    .range(count, count)
    .throwOnError()
    .overrideTypes<Place[], { merge: false }>();
  return rows[0];
}

/** Returns the newest items after the cursor that match, up to the item at `last`. */
async function partOf(
  { data }: AdminClient,
  kind: KindDefinition,
  query: ContentQuery,
  last?: Place,
): Promise<ListedItem[]> {
  const { table, ownerColumn, isPublishable } = kind;
  const { search, authorId, cursor, size } = query;
  const columns = `id,title,created_at,author_id:${ownerColumn},author:profiles(username,full_name)`;
  let items = data.from(table).select(isPublishable ? `${columns},published` : columns);
  if (authorId) items = items.eq(ownerColumn, authorId);
  if (search) items = isUuid(search) ? items.eq("id", search) : items.or(textFilter(kind, search));
  if (cursor) items = items.lte("created_at", cursor.created_at).or(afterCursor(kind, cursor));
  if (last) items = items.gte("created_at", last.created_at).or(upTo(last));
  const { data: rows } = await items
    .order("created_at", { ascending: false })
    .order("id")
    .limit(size)
    .throwOnError()
    .overrideTypes<Row[], { merge: false }>();
  return rows.map(({ author, published = null, ...row }) => {
    return { ...row, type: kindSlug(kind), published, author: author ? storedName(author) : "" };
  });
}

function afterCursor(kind: KindDefinition, { created_at, type, id }: Cursor): string {
  const order = TYPE_ORDER.indexOf(kindSlug(kind)) - TYPE_ORDER.indexOf(type);
  const older = `created_at.lt.${created_at}`;
  if (order < 0) return older;
  const sameTime = `created_at.eq.${created_at}`;
  return `${older},${order > 0 ? sameTime : `and(${sameTime},id.gt.${id})`}`;
}

const upTo = ({ created_at, id }: Place) =>
  `created_at.gt.${created_at},and(created_at.eq.${created_at},id.lte.${id})`;

/** Searches the texts that members write, but no choices such as the language. */
function textFilter({ columns }: KindDefinition, search: string): string {
  const texts = Object.entries(columns).filter(([, { type }]) => /^(text|markdown|code|address)$/.test(type));
  return anyContains(
    texts.map(([name]) => name),
    search,
  );
}

export interface ListedProfile {
  id: string;
  username: string | null;
  full_name: string | null;
  bio: string | null;
  current_title: string | null;
  company: string | null;
  linkedin_url: string | null;
  avatar_url: string | null;
  created_at: string;
}

const PROFILE_TEXTS = [
  "username",
  "full_name",
  "bio",
  "current_title",
  "company",
  "linkedin_url",
  "avatar_url",
];

/** Returns all profiles that contain `search` in a text or address, newest first. Throws OperatorError or PostgrestError. */
export async function allProfiles(
  { data }: AdminClient,
  search: string | undefined,
  id: string | undefined,
): Promise<ListedProfile[]> {
  return readAll(async (size, { length }) => {
    let rows = data.from("profiles").select(["id", "created_at", ...PROFILE_TEXTS].join());
    if (search) rows = rows.or(anyContains(PROFILE_TEXTS, search));
    if (id) rows = rows.eq("id", id);
    const page = await rows
      .order("created_at", { ascending: false })
      .order("id")
      .range(length, length + size - 1)
      .throwOnError()
      .overrideTypes<ListedProfile[], { merge: false }>();
    return page.data;
  });
}
