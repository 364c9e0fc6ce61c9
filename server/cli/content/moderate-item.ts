import { OWNERS } from "../../../app/data/content-reads.ts";
import { OperatorError } from "../../config/operator-error.ts";
import type { AdminClient } from "../admin-client.ts";
import { audit } from "../audit.ts";
import { printableLine, printableText } from "../printable.ts";
import type { Invocation } from "../run-command.ts";
import { CONTENT_KINDS, CONTENT_TYPES } from "./content-kinds.ts";

async function findItem({ data }: AdminClient, id: string) {
  for (const type of CONTENT_TYPES) {
    const found = await data.from(CONTENT_KINDS[type].table).select("*").eq("id", id).limit(1).throwOnError();
    const row: Record<string, unknown> | undefined = found.data[0];
    if (row !== undefined) return { type, row };
  }
  throw new OperatorError(`There is no item with the ID ${id}: npm run content -- list shows all of them.`);
}

export async function showItem({ site, id, settings, print }: Invocation): Promise<void> {
  const { type, row } = await findItem(site, id);
  const { data } = await site.admin.getUserById(String(row[OWNERS[CONTENT_KINDS[type].table]]));
  const { content, code_content, ...fields } = row;
  const shown = {
    type,
    address: `${settings.siteUrl}/${type}/${id}`,
    author_email: data.user?.email ?? "",
    ...fields,
  };
  for (const [name, value] of Object.entries(shown)) print(`${name}: ${printableLine(String(value ?? ""))}`);
  const text = content ?? code_content;
  if (text !== undefined) print(`\n${printableText(String(text))}`);
}

export async function unpublish({ site, id, print }: Invocation): Promise<void> {
  const { type, row } = await findItem(site, id);
  if (type !== "articles") {
    throw new OperatorError("Only articles can be unpublished: remove deletes links and samples.");
  }
  if (row["published"] !== true) return print("The article is not published.");
  await site.data.from("articles").update({ published: false }).eq("id", id).throwOnError();
  audit("article.unpublished", { table: "articles", id });
  print(`"${printableLine(String(row["title"]))}" is unpublished. It stays on /articles.`);
}

export async function removeItem({ site, id, print }: Invocation): Promise<void> {
  const { type, row } = await findItem(site, id);
  const { table } = CONTENT_KINDS[type];
  await site.data.from(table).delete().eq("id", id).throwOnError();
  audit("item.removed", { table, id });
  print(`"${printableLine(String(row["title"]))}" is removed.`);
}
