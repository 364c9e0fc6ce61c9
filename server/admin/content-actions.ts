import { isUuid, itemDigits } from "../../common/data/addresses.ts";
import { findItem as findAtAddress } from "../../common/data/content-reads.ts";
import type { ActionResult } from "../../common/data/operators.ts";
import { readerOf } from "../../common/data/postgrest-reader.ts";
import type { ContentRow } from "../../common/data/schema.ts";
import { KINDS, kindSlug } from "../../common/kinds/index.ts";
import { isPublic, type KindDefinition } from "../../common/kinds/kind-definition.ts";
import { commandLine } from "../config/command-line.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { AdminClient } from "./admin-client.ts";
import { type AdminContext, ONLY_IN_BACKUPS } from "./admin-context.ts";
import { MissingError } from "./missing-error.ts";
import { removePictures } from "./pictures.ts";

interface FoundItem {
  kind: KindDefinition;
  row: ContentRow;
}

interface ItemReference {
  /** The item's id, or the last part of its address. */
  id: string;
  /** The kinds that the item can have. */
  kinds: readonly KindDefinition[];
}

/**
 * Reads `ID`, `TYPE/ID` or an item's address, as copied from a page. The type is needed if two members have items of
 * different kinds with the same id: an item's id is public, so a member can copy it. Returns null for any other text.
 */
export function readItemReference(text: string): ItemReference | null {
  const path = text.replace(/^https?:\/\/[^/]+/i, "").replace(/^\//, "");
  const [id = "", type, ...rest] = path.split("/").reverse();
  const kinds = type === undefined ? KINDS : KINDS.filter((kind) => kindSlug(kind) === type);
  return itemDigits(id) !== null && kinds.length > 0 && rest.length === 0 ? { id, kinds } : null;
}

/** Throws OperatorError if the reference doesn't say which of several items is meant. */
async function findItem({ data }: AdminClient, { id, kinds }: ItemReference): Promise<FoundItem | null> {
  const items: FoundItem[] = [];
  for (const kind of kinds) {
    const found = await findAtAddress(readerOf(data), kind.table, id);
    // A whole id names exactly this item. Its last digits could be those of another one.
    if (!found || (isUuid(id) && found.id !== id.toLowerCase())) continue;
    const { profiles: _author, ...row } = found;
    items.push({ kind, row });
  }
  if (items.length > 1) {
    const choices = items.map(({ kind, row }) => `${kindSlug(kind)}/${id} ("${row.title}")`);
    throw new OperatorError(`Several items have the ID ${id}: name one of ${choices.join(", ")}.`);
  }
  return items[0] ?? null;
}

/** Finds the item that `ID` or `TYPE/ID` names. Throws OperatorError if there is none, or more than one. */
export async function requireItem(site: AdminClient, text: string): Promise<FoundItem> {
  const reference = readItemReference(text);
  const item = reference && (await findItem(site, reference));
  if (!item) throw noItem(text);
  return item;
}

const noItem = (id: string) =>
  new MissingError(
    `There is no item with the ID ${id}`,
    `${commandLine("content", "list")} shows all items.`,
  );

const target = ({ kind, row }: FoundItem) => ({ type: kind.table, id: row.id, name: row.title });

export async function unpublishItem(context: AdminContext, id: string): Promise<ActionResult> {
  const { kind, row, isChanged } = await setPublished(context, id, false);
  if (!isChanged) return { text: `The ${kind.itemName.toLowerCase()} is not published.`, isUnchanged: true };
  return { text: `"${row.title}" was unpublished. It is still listed on ${kind.path}.` };
}

export async function publishItem(context: AdminContext, id: string): Promise<ActionResult> {
  const { kind, row, isChanged } = await setPublished(context, id, true);
  if (!isChanged)
    return { text: `The ${kind.itemName.toLowerCase()} is already published.`, isUnchanged: true };
  return { text: `"${row.title}" was published.` };
}

async function setPublished({ site, record }: AdminContext, id: string, published: boolean) {
  const item = await requireItem(site, id);
  const { kind, row } = item;
  const state = published ? "published" : "unpublished";
  if (!kind.isPublishable) {
    const names = KINDS.filter(({ isPublishable }) => isPublishable).map(({ name }) => name.toLowerCase());
    throw new OperatorError(`Only ${names.join(" and ")} can be ${state}: use remove for other items.`);
  }
  if (isPublic(kind, row) === published) return { ...item, isChanged: false };
  await site.data.from(kind.table).update({ published }).eq("id", row.id).throwOnError();
  await record({ action: `${kind.itemName.toLowerCase()}.${state}`, target: target(item) });
  return { ...item, isChanged: true };
}

/** Removes an item with its versions, the versions of an item that its owner has deleted, or a picture. */
export async function removeItem(context: AdminContext, text: string): Promise<ActionResult> {
  const reference = readItemReference(text);
  if (!reference) return removePicture(context, text);
  const { site, record } = context;
  const item = await findItem(site, reference);
  if (!item) return removeVersions(context, reference);
  await site.data.from(item.kind.table).delete().eq("id", item.row.id).throwOnError();
  await record({ action: "item.removed", target: target(item) });
  return { text: `"${item.row.title}" was removed.`, note: ONLY_IN_BACKUPS, removed: item.row };
}

/**
 * Removes the versions of a deleted item. Two members, or two tables, can have had items with the same id: the item that
 * was deleted last is meant, and the others keep their versions.
 */
async function removeVersions(
  { site, record }: AdminContext,
  { id, kinds }: ItemReference,
): Promise<ActionResult> {
  if (!isUuid(id)) throw noItem(id);
  const tables = kinds.map(({ table }) => table);
  const read = site.data.from("versions").select("profile_id,item_table,title");
  const versions = read.eq("item_id", id).in("item_table", tables);
  const deletions = versions.eq("is_deletion", true).order("replaced_at", { ascending: false }).limit(1);
  const [version] = (await deletions.throwOnError()).data;
  if (!version) throw noItem(id);
  const { profile_id, item_table, title } = version;
  await site.data.from("versions").delete().match({ item_id: id, profile_id, item_table }).throwOnError();
  await record({ action: "versions.removed", target: { type: item_table, id, name: title } });
  return {
    text: `"${title}" was already deleted. Its earlier versions were removed.`,
    note: ONLY_IN_BACKUPS,
  };
}

async function removePicture({ site, record }: AdminContext, path: string): Promise<ActionResult> {
  const removed = await removePictures(site, [path]);
  if (removed.length === 0) {
    const list = commandLine("content", "list --type pictures");
    throw new MissingError(`There is no picture with the ID ${path}`, `${list} shows all pictures.`);
  }
  await record({ action: "picture.removed", target: { type: "picture", id: path, name: path } });
  return { text: "The picture was removed.", note: ONLY_IN_BACKUPS };
}
