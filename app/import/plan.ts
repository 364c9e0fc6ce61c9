import { v5 } from "uuid";
import { columnOf, ownerOf } from "../../common/data/content-reads.ts";
import type { ContentRow } from "../../common/data/schema.ts";
import { kindOfTable } from "../../common/kinds/index.ts";
import { isPublic, type KindDefinition } from "../../common/kinds/kind-definition.ts";
import { PUBLIC_PATH } from "../../common/pictures/picture-path.ts";
import { hasOwnPath, idsOf, spareIdsOf } from "./ids.ts";
import { type FileContent, type FileItem, fieldsSchema, PROFILE, SKILL } from "./items.ts";
import type { LeftOut } from "./left-out.ts";
import { linkArticles } from "./links/link-articles.ts";
import type { Stored } from "./stored-rows.ts";
import { listOf } from "./text/tags.ts";

export type Write =
  | { table: string; row: Record<string, unknown> }
  | { table: "skills"; obsoleteId: string }
  | { picturePath: string; blob: Blob };

/** A line of the import list, with a checkbox. Its writes run in order. */
export interface PlanLine {
  key: string;
  group: "Create" | "Update" | "Replace";
  title: string;
  /** When the item was created, or null if the line is not about an item. */
  createdAt: string | null;
  details: string[];
  isInitiallyTicked: boolean;
  writes: Write[];
}

export interface Plan {
  lines: PlanLine[];
  leftOut: LeftOut[];
}

const ALREADY_STORED = "is identical to the version on this site";

export function planRows(content: FileContent, stored: Stored, userId: string): Plan {
  const plan: Plan = { lines: [], leftOut: [...content.leftOut] };
  const planned = new Map<string, FileItem>();
  const ids = new Map(
    content.items.map((item) => [item, targetId(kindOfTable(item.table), item, stored, userId)]),
  );
  const idOf = (item: FileItem) => ids.get(item) ?? null;
  for (const unlinked of content.items) {
    const item = linkArticles(unlinked, idOf);
    const kind = kindOfTable(item.table);
    const id = idOf(unlinked);
    const row = id === null ? undefined : stored.items[item.table]?.get(id);
    const key = `${item.table}/${id}`;
    const reason = reasonToLeaveOut(item, id, row, planned.get(key));
    if (reason) {
      plan.leftOut.push({ source: item.source, reason });
      if (reason === ALREADY_STORED)
        planMissingPictures(plan, stored, { key, title: item.fields.title, ...item });
    } else {
      planned.set(key, item);
      plan.lines.push({
        key,
        ...itemLine(kind, item, { identity: { [kind.ownerColumn]: userId, id }, row, stored }),
      });
    }
  }
  planOtherPictures(plan, content, stored);
  planProfile(plan, content, stored, userId);
  planSkills(plan, content, stored, userId);
  return plan;
}

/**
 * Chooses one of the ids from `idsOf` and `spareIdsOf`: the id of a row that the member owns or, if there is none, an id that no row has.
 * Returns null if other members' rows have all of them.
 */
function targetId(kind: KindDefinition, item: FileItem, { items }: Stored, userId: string): string | null {
  const rows = items[kind.table] ?? new Map<string, ContentRow>();
  const candidates = [...idsOf(item, userId), ...spareIdsOf(item, userId)];
  const isUpdated = (id: string) => {
    const row = rows.get(id);
    if (row === undefined || ownerOf(kind, row) !== userId) return false;
    const { title, content } = item.fields;
    return hasOwnPath(item) || row.title === title || columnOf(row, "content") === content;
  };
  return candidates.find(isUpdated) ?? candidates.find((id) => !rows.has(id)) ?? null;
}

function reasonToLeaveOut(
  item: FileItem,
  id: string | null,
  row: ContentRow | undefined,
  duplicate: FileItem | undefined,
): string | null {
  if (id === null) return "has an id that another member's item uses";
  if (row && isSameItem(item, row)) return ALREADY_STORED;
  if (!duplicate) return null;
  return isSameItem(item, duplicate.fields)
    ? `is the same as ${duplicate.source}`
    : `would overwrite ${duplicate.source}`;
}

interface LineContext {
  identity: Record<string, unknown>;
  /** The member's row that the line updates. */
  row: ContentRow | undefined;
  stored: Stored;
}

/**
 * Only new items get the creation date from their file: an update keeps the stored date. No write contains
 * `updated_at`, because the server sets it.
 */
function itemLine(
  kind: KindDefinition,
  item: FileItem,
  { identity, row, stored }: LineContext,
): Omit<PlanLine, "key"> {
  const { table, source, fields, unpublishedReason, createdAt, updatedAt, notes, uploads } = item;
  const isOlder =
    row !== undefined &&
    kind.hasUpdatedAt &&
    isBefore(updatedAt, columnOf(row, "updated_at") as string | null);
  const isUnpublished = !isPublic(kind, fields);
  const date = createdAt ? { created_at: createdAt, notes: [] } : dateOfUndated(item.modifiedAt);
  return {
    group: row ? "Update" : "Create",
    title: fields.title,
    createdAt: row ? row.created_at : date.created_at,
    details: [
      kind.itemName,
      ...(isUnpublished
        ? [unpublishedReason ? `not published (${unpublishedReason})` : "not published"]
        : []),
      source,
      ...(row ? [`replaces “${row.title}”`] : date.notes),
      ...(isOlder ? ["older than the version on this site"] : []),
      ...(uploads ? [uploads.size === 1 ? "with a picture" : `with ${uploads.size} pictures`] : []),
      ...missingNotes(item, stored),
      ...notes,
    ],
    isInitiallyTicked: !isOlder && !item.hasUnreadableDate,
    writes: [
      ...pictureWrites(uploads),
      { table, row: { ...identity, ...fields, ...(!row && { created_at: date.created_at }) } },
    ],
  };
}

/** Returns the file's modification time, or the current time if that is unknown, from today or in the future. */
function dateOfUndated(modifiedAt: string | null): { created_at: string; notes: string[] } {
  const today = new Date().setHours(0, 0, 0, 0);
  return modifiedAt && Date.parse(modifiedAt) < today
    ? {
        created_at: modifiedAt,
        notes: [`has no date: gets ${modifiedAt.slice(0, 10)}, when its file was last changed`],
      }
    : { created_at: new Date().toISOString(), notes: ["has no date: gets the current time"] };
}

/** Names the pictures that were not found. A picture that the site already has needs no file. */
function missingNotes({ missingPictures = [] }: FileItem, { pictures }: Stored): string[] {
  const isStored = (address: string) =>
    address.startsWith(PUBLIC_PATH) && pictures.has(address.slice(PUBLIC_PATH.length));
  const named = (wanted: string) =>
    missingPictures.flatMap(({ address, problem }) =>
      problem === wanted && !isStored(address) ? [address] : [],
    );
  const [missing, ambiguous] = [named("missing"), named("ambiguous")];
  return [
    ...(missing.length > 0 ? [`not found: ${listOf(missing)}`] : []),
    ...(ambiguous.length > 0 ? [`left out, because several files have the name: ${listOf(ambiguous)}`] : []),
  ];
}

function isSameItem({ table, fields }: FileItem, other: object): boolean {
  return isSameSet(fieldsSchema(table), [fields], [other]);
}

function isSameSet({ entries }: { entries: object }, some: object[], others: object[]): boolean {
  const columns = Object.keys(entries);
  const texts = (rows: object[]) => rows.map((row) => JSON.stringify(row, columns)).sort();
  return texts(some).join() === texts(others).join();
}

function isBefore(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && Date.parse(one) < Date.parse(other);
}

/** Returns the uploads of pictures. They must precede the write of the row, or readers would see broken pictures. */
function pictureWrites(uploads: Map<string, Blob> = new Map()): Write[] {
  return [...uploads].map(([picturePath, blob]) => ({ picturePath, blob }));
}

/** After a move to another backend, an item may be stored without its pictures. A line offers to upload them. */
function planMissingPictures(
  plan: Plan,
  stored: Stored,
  {
    key,
    title,
    source,
    uploads,
  }: { key: string; title: string; source: string; uploads?: Map<string, Blob> | undefined },
): void {
  const missing = new Map([...(uploads ?? [])].filter(([path]) => !stored.pictures.has(path)));
  if (missing.size === 0) return;
  const pictures = missing.size === 1 ? "a picture" : `${missing.size} pictures`;
  plan.lines.push({
    key: `${key}/pictures`,
    group: "Update",
    title,
    createdAt: null,
    details: [source, `adds ${pictures} that the site lacks`],
    isInitiallyTicked: true,
    writes: pictureWrites(missing),
  });
}

/** Offers the portrait and pictures that only earlier versions show, so that an import doesn't lose them. */
function planOtherPictures(plan: Plan, { otherUploads, profile }: FileContent, stored: Stored): void {
  const missing = new Map([...(otherUploads ?? [])].filter(([path]) => !stored.pictures.has(path)));
  if (missing.size === 0) return;
  const hasPortrait = missing.has(portraitPath(profile));
  const others = missing.size > (hasPortrait ? 1 : 0) ? ["pictures that no article shows"] : [];
  plan.lines.push({
    key: "pictures",
    group: "Create",
    title: `Pictures (${missing.size})`,
    createdAt: null,
    details: [...(hasPortrait ? ["your portrait"] : []), ...others],
    isInitiallyTicked: true,
    writes: pictureWrites(missing),
  });
}

const portraitPath = (profile: FileContent["profile"]): string =>
  profile?.avatar_url?.slice(PUBLIC_PATH.length) ?? "";

function planProfile(
  plan: Plan,
  { profile, otherUploads = new Map() }: FileContent,
  stored: Stored,
  userId: string,
): void {
  if (!profile) return;
  if (stored.profile && isSameSet(PROFILE, [profile], [stored.profile])) {
    plan.leftOut.push({ source: "profile.json", reason: ALREADY_STORED });
    return;
  }
  const portrait = portraitPath(profile);
  const upload = otherUploads.get(portrait);
  plan.lines.push({
    key: "profile",
    group: "Replace",
    title: "Profile",
    createdAt: null,
    details: ["replaces your profile"],
    isInitiallyTicked: false,
    writes: [
      ...(upload ? [{ picturePath: portrait, blob: upload }] : []),
      { table: "profiles", row: { ...profile, id: userId } },
    ],
  });
}

/** The new skills are inserted before the old ones are deleted, so that an interrupted import loses nothing. */
function planSkills(plan: Plan, { skills }: FileContent, stored: Stored, userId: string): void {
  if (!skills) return;
  if (isSameSet(SKILL, skills, stored.skills)) {
    plan.leftOut.push({ source: "skills.json", reason: ALREADY_STORED });
    return;
  }
  const rows = skills.map(({ createdAt, ...skill }, index) => ({
    ...skill,
    id: v5(`skills.json:${index}:${JSON.stringify(skill)}`, userId),
    profile_id: userId,
    ...(createdAt && { created_at: createdAt }),
  }));
  const obsolete = stored.skills.filter((skill) => rows.every(({ id }) => id !== skill.id));
  plan.lines.push({
    key: "skills",
    group: "Replace",
    title: `Skills (${rows.length})`,
    createdAt: null,
    details: [`replaces your skills (${stored.skills.length})`],
    isInitiallyTicked: false,
    writes: [
      ...rows.map((row) => ({ table: "skills" as const, row })),
      ...obsolete.map(({ id }) => ({ table: "skills" as const, obsoleteId: id })),
    ],
  });
}
