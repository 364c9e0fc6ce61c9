import type { ContentRow } from "../../../common/data/schema.ts";
import { fileSlug, itemFileName, shortenName } from "../../../common/kinds/item-file.ts";
import type { MemberContent } from "./member-content.ts";

/**
 * Returns a function that names an item's file in a download. Every name is unique: if an earlier item has the name, the
 * full id is used instead of its first eight characters.
 */
export function fileNames(): (item: ContentRow, extension: string) => string {
  const taken = new Set<string>();
  return (item, extension) => {
    const name = itemFileName(item, extension);
    const free = taken.has(name) ? itemFileName(item, extension, item.id.length) : name;
    taken.add(free);
    return free;
  };
}

/** The file name of a download, e.g. `techfolio-ada-2026-11-25.zip`. The date is in the member's time zone. */
export function archiveName(profile: MemberContent["profile"], now: Date): string {
  const name =
    shortenName(profile.username ?? "", /[^\p{L}\p{N}\p{M}_.-]+/gu) ||
    (profile.full_name?.trim() ? fileSlug(profile.full_name) : profile.id.slice(0, 8));
  // The Swedish date format is ISO 8601.
  return `techfolio-${name}-${now.toLocaleDateString("sv")}.zip`;
}
