import type { MemberContent } from "./member-content.ts";

export const EXTENSIONS: Record<string, string> = {
  python: "py",
  sql: "sql",
  javascript: "js",
  typescript: "ts",
  bash: "sh",
  yaml: "yaml",
};

/** File systems allow 255 bytes a name; a character has up to four. */
const MAX_CHARACTERS = 50;

function shortened(text: string, unsafe: RegExp): string {
  const safe = text.replace(unsafe, "-").replace(/^[-.]+/, "");
  return Array.from(safe)
    .slice(0, MAX_CHARACTERS)
    .join("")
    .replace(/[-.]+$/, "");
}

export function slug(title: string): string {
  return shortened(title.normalize("NFKC").toLowerCase(), /[^\p{L}\p{N}\p{M}]+/gu) || "untitled";
}

/** Gives each item a file name of its own: the whole id stands in for its first 8 characters where two would share a name. */
export function fileNames(): (title: string, id: string, extension: string) => string {
  const taken = new Set<string>();
  return (title, id, extension) => {
    const name = `${slug(title)}-${id.slice(0, 8)}.${extension}`;
    const free = taken.has(name) ? `${slug(title)}-${id}.${extension}` : name;
    taken.add(free);
    return free;
  };
}

/** `now` gives the day in the member's own time zone. */
export function archiveName(profile: MemberContent["profile"], now: Date): string {
  const name =
    shortened(profile.username ?? "", /[^\p{L}\p{N}\p{M}_.-]+/gu) ||
    (profile.full_name?.trim() ? slug(profile.full_name) : profile.id.slice(0, 8));
  // Sweden writes dates as ISO 8601 does.
  return `techfolio-${name}-${now.toLocaleDateString("sv")}.zip`;
}
