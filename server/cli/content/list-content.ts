import { KINDS, kindName } from "../../../app/content/kinds/index.ts";
import type { KindDefinition } from "../../../app/content/kinds/kind-definition.ts";
import { OperatorError, UsageError } from "../../config/operator-error.ts";
import type { AdminClient } from "../admin-client.ts";
import { allRows, findMember } from "../admin-client.ts";
import { printRows } from "../printable.ts";
import type { Invocation } from "../run-command.ts";

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
  const kinds = type ? KINDS.filter((kind) => kindName(kind) === type) : KINDS;
  if (kinds.length === 0) {
    throw new UsageError(`"list": --type is one of ${KINDS.map(kindName).join(", ")}, not "${type}"`);
  }
  const authorId = author && (await findAuthor(site, author));
  const lists = await Promise.all(kinds.map((kind) => listOfKind(site, kind, authorId, search)));
  const items = lists.flat().sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  printRows(invocation, items, "Nothing was found.", ({ id, type, created_at, published, author, title }) => {
    const state = published === null ? "-" : published ? "published" : "unpublished";
    return [id, type, created_at.slice(0, 10), state, author, title];
  });
}

async function findAuthor(site: AdminClient, author: string): Promise<string> {
  if (author.includes("@")) return (await findMember(site, author.toLowerCase())).id;
  // Of several members, it belongs to the one who has had it longest (contract).
  const bearers = site.data.from("profiles").select("id").eq("username", author);
  const { data } = await bearers
    .order("username_since")
    .order("created_at")
    .order("id")
    .limit(1)
    .throwOnError();
  const id: unknown = data[0]?.id;
  if (typeof id === "string") return id;
  throw new OperatorError(
    `There is no member with the username ${author}: npm run member -- list shows all.`,
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

/** The columns that --search looks in: every text that members wrote. */
function textColumns({ columns }: KindDefinition): string[] {
  const texts = Object.entries(columns).filter(([, column]) => column.type === "text" && !column.options);
  return texts.map(([name]) => name);
}

/** A pattern for `ilike`, quoted for `or`. PostgREST treats `*` as `%`, so `_` replaces it. */
function pattern(search: string): string {
  const literal = search.replace(/[\\%_]/g, "\\$&").replaceAll("*", "_");
  return `"%${literal.replace(/["\\]/g, "\\$&")}%"`;
}
