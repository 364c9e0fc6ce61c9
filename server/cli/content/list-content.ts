import { KINDS, kindName } from "../../../common/kinds/index.ts";
import type { KindDefinition } from "../../../common/kinds/kind-definition.ts";
import { OperatorError, UsageError } from "../../config/operator-error.ts";
import type { AdminClient } from "../admin-client.ts";
import { allRows, findMember } from "../admin-client.ts";
import { allPictures, type StoredPicture } from "../pictures.ts";
import { printRows } from "../printable.ts";
import type { Invocation } from "../run-command.ts";

const PICTURES = "pictures";

/** The values that `--type` accepts. */
export const TYPES = [...KINDS.map(kindName), PICTURES];

interface Row {
  id: string;
  title: string;
  created_at: string;
  published?: boolean;
  author_id: string;
  author: { username: string | null; full_name: string | null } | null;
}

export async function listContent({ site, texts, ...invocation }: Invocation): Promise<void> {
  const { author, search, type } = texts;
  if (type === PICTURES) return listPictures({ site, texts, ...invocation });
  const kinds = type ? KINDS.filter((kind) => kindName(kind) === type) : KINDS;
  if (kinds.length === 0) {
    throw new UsageError(`"list": --type must be one of ${TYPES.join(", ")}, not "${type}"`);
  }
  const authorId = author && (await findAuthor(site, author));
  const lists = await Promise.all(kinds.map((kind) => listOfKind(site, kind, authorId, search)));
  const items = lists.flat().sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  printRows(
    invocation,
    items,
    "No items were found.",
    ({ id, type, created_at, published, author, title }) => {
      const state = published === null ? "-" : published ? "published" : "unpublished";
      return [id, type, created_at.slice(0, 10), state, author, title];
    },
  );
}

interface PictureRow extends StoredPicture {
  author: string;
}

async function listPictures({ site, texts, ...invocation }: Invocation): Promise<void> {
  const { author, search = "" } = texts;
  const authorId = author && (await findAuthor(site, author));
  const pictures = await allPictures(site, authorId);
  const names = await namesOf(site, new Set(pictures.map(ownerOf)));
  const rows = pictures
    .map((picture): PictureRow => ({ ...picture, author: names.get(ownerOf(picture)) ?? "" }))
    .filter(({ path }) => path.includes(search))
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  printRows(invocation, rows, "No items were found.", ({ path, createdAt, author, bytes }) => [
    path,
    PICTURES,
    createdAt.slice(0, 10),
    "-",
    author,
    `${Math.ceil(bytes / 1_000)} kB`,
  ]);
}

const ownerOf = ({ path }: StoredPicture): string => path.slice(0, path.indexOf("/"));

const IDS_PER_READ = 100;

async function namesOf({ data }: AdminClient, ids: Set<string>): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const all = [...ids];
  for (let start = 0; start < all.length; start += IDS_PER_READ) {
    const batch = all.slice(start, start + IDS_PER_READ);
    const found = await data.from("profiles").select("id,username,full_name").in("id", batch).throwOnError();
    for (const { id, username, full_name } of found.data) names.set(id, full_name || username || "");
  }
  return names;
}

async function findAuthor(site: AdminClient, author: string): Promise<string> {
  if (author.includes("@")) return (await findMember(site, author.toLowerCase())).id;
  // If several members have the username, it belongs to the one who has had it longest (docs/contract.md).
  const namesakes = site.data.from("profiles").select("id").eq("username", author);
  const { data } = await namesakes
    .order("username_since")
    .order("created_at")
    .order("id")
    .limit(1)
    .throwOnError();
  const id: unknown = data[0]?.id;
  if (typeof id === "string") return id;
  throw new OperatorError(
    `There is no member with the username ${author}: npm run member -- list shows all members.`,
  );
}

async function listOfKind({ data }: AdminClient, kind: KindDefinition, authorId?: string, search?: string) {
  const { table, owner, isPublishable } = kind;
  const columns = `id,title,created_at,author_id:${owner},author:profiles(username,full_name)`;
  const rows = await allRows<Row>((first, last) => {
    let query = data.from(table).select(isPublishable ? `${columns},published` : columns);
    if (authorId) query = query.eq(owner, authorId);
    if (search)
      query = query.or(
        textColumns(kind)
          .map((name) => `${name}.ilike.${pattern(search)}`)
          .join(),
      );
    return query
      .order("created_at", { ascending: false })
      .order("id")
      .range(first, last)
      .throwOnError()
      .overrideTypes<Row[], { merge: false }>();
  });
  return rows.map(({ author, published = null, ...row }) => {
    return { ...row, type: kindName(kind), published, author: author?.full_name || author?.username || "" };
  });
}

/** The columns that `--search` searches: texts that members write, but no choices such as the language. */
function textColumns({ columns }: KindDefinition): string[] {
  const texts = Object.entries(columns).filter(([, { type }]) => /^(text|markdown|code|address)$/.test(type));
  return texts.map(([name]) => name);
}

/**
 * Returns an `ilike` pattern that finds `search` anywhere in a text, quoted for PostgREST's parameter `or`. A `*`
 * becomes `_` (any character), because PostgREST would treat it as `%`.
 */
function pattern(search: string): string {
  const literal = search.replace(/[\\%_]/g, "\\$&").replaceAll("*", "_");
  return `"%${literal.replace(/["\\]/g, "\\$&")}%"`;
}
