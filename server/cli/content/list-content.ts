import type { AdminClient } from "../admin-client.ts";
import { allRows, findMember } from "../admin-client.ts";
import { CommandError } from "../command-error.ts";
import { printableLine } from "../printable.ts";
import type { ListRequest } from "./arguments.ts";
import { CONTENT_KINDS, type ContentType } from "./content-kinds.ts";

interface Row {
  id: string;
  title: string;
  created_at: string;
  published?: boolean;
  owner: string;
  author: { username: string | null; full_name: string | null } | null;
}

interface ListedItem {
  id: string;
  type: ContentType;
  created_at: string;
  /** Null where the type knows no publishing. */
  published: boolean | null;
  author: string;
  author_id: string;
  title: string;
}

export async function listContent(
  site: AdminClient,
  { author, types, search, json }: ListRequest,
  print: (line: string) => void,
): Promise<void> {
  const authorId = author === undefined ? undefined : await findAuthor(site, author);
  const lists = await Promise.all(types.map((type) => listOfType(site, { type, authorId, search })));
  const items = lists.flat().sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  if (json) return print(JSON.stringify(items, undefined, 2));
  for (const item of items) print(lineOf(item));
  if (items.length === 0) print("Nothing was found.");
}

function lineOf({ id, type, created_at, published, author, title }: ListedItem): string {
  const state = published === null ? "-" : published ? "published" : "unpublished";
  return [id, type, created_at.slice(0, 10), state, author, title].map(printableLine).join("\t");
}

async function findAuthor(site: AdminClient, author: string): Promise<string> {
  if (author.includes("@")) return (await findMember(site, author)).id;
  // Of several the oldest bears it (contract).
  const found = await site.data
    .from("profiles")
    .select("id")
    .eq("username", author)
    .order("created_at")
    .order("id")
    .limit(1);
  if (found.error) throw found.error;
  const id = found.data[0]?.id;
  if (typeof id === "string") return id;
  throw new CommandError(`There is no member with the username ${author}: npm run member -- list shows all.`);
}

interface Wanted {
  type: ContentType;
  authorId: string | undefined;
  search: string | undefined;
}

async function listOfType({ data }: AdminClient, { type, authorId, search }: Wanted): Promise<ListedItem[]> {
  const { table, owner, searched, hasPublished } = CONTENT_KINDS[type];
  const columns = `id,title,created_at,owner:${owner},author:profiles(username,full_name)`;
  const rows = await allRows<Row>((first, last) => {
    let query = data.from(table).select(hasPublished ? `${columns},published` : columns);
    if (authorId !== undefined) query = query.eq(owner, authorId);
    if (search !== undefined)
      query = query.or(searched.map((name) => `${name}.ilike.${pattern(search)}`).join());
    return query
      .order("created_at", { ascending: false })
      .order("id")
      .range(first, last)
      .overrideTypes<Row[], { merge: false }>();
  });
  return rows.map(({ id, title, created_at, published, owner: author_id, author }) => {
    const name = author?.full_name || author?.username || "";
    return { id, type, created_at, published: published ?? null, author: name, author_id, title };
  });
}

/** A substring as `ilike` finds it, quoted for `or`. PostgREST reads `*` as `%`, so any one sign stands in for it. */
function pattern(search: string): string {
  const literal = search.replace(/[\\%_]/g, "\\$&").replaceAll("*", "_");
  return `"%${literal.replace(/["\\]/g, "\\$&")}%"`;
}
