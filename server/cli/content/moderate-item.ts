import { isUuid, itemPath } from "../../../common/data/addresses.ts";
import { columnOf, ownerOf } from "../../../common/data/content-reads.ts";
import type { ContentRow } from "../../../common/data/schema.ts";
import { KINDS, kindName } from "../../../common/kinds/index.ts";
import { isPublic, renderedColumn } from "../../../common/kinds/kind-definition.ts";
import { OperatorError } from "../../config/operator-error.ts";
import type { AdminClient } from "../admin-client.ts";
import { audit } from "../audit.ts";
import { removePictures } from "../pictures.ts";
import { printableLine, printableText } from "../printable.ts";
import type { Invocation } from "../run-command.ts";

async function findItem({ data }: AdminClient, id: string) {
  for (const kind of KINDS) {
    const rows = await data.from(kind.table).select("*").eq("id", id).limit(1).throwOnError();
    const row: ContentRow | undefined = rows.data[0];
    if (row !== undefined) return { kind, row };
  }
  return null;
}

async function requireItem(site: AdminClient, id: string) {
  const found = await findItem(site, id);
  if (!found) throw noItem(id);
  return found;
}

const noItem = (id: string) =>
  new OperatorError(`There is no item with the ID ${id}: npm run content -- list shows all items.`);

export async function showItem({ site, id, settings, print }: Invocation): Promise<void> {
  const { kind, row } = await requireItem(site, id);
  const { data } = await site.admin.getUserById(ownerOf(kind, row));
  const textColumn = renderedColumn(kind);
  const shown = {
    type: kindName(kind),
    address: settings.siteUrl + itemPath(kind, id),
    author_email: data.user?.email ?? "",
    ...row,
  };
  for (const [name, value] of Object.entries(shown)) {
    if (name !== textColumn) print(`${name}: ${printableLine(String(value ?? ""))}`);
  }
  if (textColumn) print(`\n${printableText(String(columnOf(row, textColumn)))}`);
}

export async function unpublish({ site, id, print }: Invocation): Promise<void> {
  const { kind, row } = await requireItem(site, id);
  const item = kind.itemName.toLowerCase();
  if (!kind.isPublishable) {
    const names = KINDS.filter(({ isPublishable }) => isPublishable).map(({ name }) => name.toLowerCase());
    throw new OperatorError(`Only ${names.join(" and ")} can be unpublished: use remove for other items.`);
  }
  if (!isPublic(kind, row)) return print(`The ${item} is not published.`);
  await site.data.from(kind.table).update({ published: false }).eq("id", id).throwOnError();
  audit(`${item}.unpublished`, { table: kind.table, id });
  print(`"${printableLine(row.title)}" was unpublished. It is still listed on ${kind.path}.`);
}

export async function removeItem({ site, id, print }: Invocation): Promise<void> {
  if (!isUuid(id)) return removePicture(site, id, print);
  const found = await findItem(site, id);
  if (!found) return removeVersions(site, id, print);
  const { kind, row } = found;
  await site.data.from(kind.table).delete().eq("id", id).throwOnError();
  audit("item.removed", { table: kind.table, id });
  print(`"${printableLine(row.title)}" was removed.`);
}

/** Removes the earlier versions of an item that its owner has already deleted. */
async function removeVersions({ data }: AdminClient, id: string, print: (line: string) => void) {
  const deleted = data.from("versions").delete().eq("item_id", id).select("item_table,title");
  const [version] = (await deleted.order("replaced_at", { ascending: false }).throwOnError()).data;
  if (!version) throw noItem(id);
  audit("versions.removed", { table: version.item_table, id });
  print(`"${printableLine(version.title)}" was already deleted. Its earlier versions were removed.`);
}

async function removePicture(site: AdminClient, path: string, print: (line: string) => void): Promise<void> {
  const removed = await removePictures(site, [path]);
  if (removed.length === 0) {
    const list = "npm run content -- list --type pictures";
    throw new OperatorError(`There is no picture with the ID ${path}: ${list} shows all pictures.`);
  }
  audit("picture.removed", { id: path });
  print("The picture was removed.");
}
