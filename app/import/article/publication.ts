import { parseDate, startOf } from "./dates.ts";
import type { FrontMatter } from "./front-matter.ts";

const YES = /^(?:true|yes|on|y|1)$/i;
const NO = /^(?:false|no|off|n|0)$/i;

// Field names are simplified as in `FrontMatter`: they are in lower case and have no `_`, `-` or spaces.

/** Flags that make an article public in Jekyll, DEV, Gatsby, Obsidian Publish and Digital Garden. */
const PUBLIC_FLAGS = names(
  "published publish ispublished ispublic public dgpublish isvisible visible listed islisted",
);
/** Flags that hide an article in Hugo, Astro, Eleventy, Docusaurus, Hashnode and blog themes. */
const HIDDEN_FLAGS = names(
  `draft isdraft saveasdraft ignorepost unpublished private isprivate hidden ishidden hide unlisted isunlisted
  protected isprotected secret archived isarchived deleted trashed headless eleventyexcludefromcollections
  membersonly memberonly subscribersonly paid ispaid premium emailonly`,
);
/** Fields that contain an article's state in Ghost, WordPress, Tumblr, Nikola and Pelican. */
const STATES = names("status state poststatus publishstatus publicationstatus poststate");
const PUBLIC_STATE = /^(?:publish(?:ed)?|public|live|featured)$/i;
/** Fields that say who may read an article in Ghost, WordPress and Substack. */
const AUDIENCES = names("visibility audience access privacy postvisibility accesslevel");
const PUBLIC_AUDIENCE = /^(?:public|everyone|everybody|anyone|all|world|visible)$/i;
/** Fields with the password that protects an article in WordPress and Hexo. */
const PASSWORDS = names("password postpassword passphrase");

/** Fields with the first date on which an article is public. A future creation date hides an article, too. */
const PUBLIC_FROM = names(
  `publishdate publishat publishon publishafter scheduled scheduledat scheduledfor scheduleddate releasedate embargo
  embargoeduntil golive`,
);
/** Fields with the date after which an article is hidden. */
const PUBLIC_UNTIL = names(
  "expirydate expires expiresat expireson expiry expirationdate unpublishdate unpublishat",
);

const HIDDEN_FOLDER = /^_?(?:drafts?|private|unpublished|trash)$/i;
/** Hidden files, such as `_a.md` and `a.draft.md`. `_index.md` is a section's page in Hugo and not hidden. */
const HIDDEN_FILE = /^_(?!index\.)|\.drafts?\.[^.]+$/i;
/** Values of Hugo's `build.render` and `build.list` that hide a page. */
const HUGO_NEVER = /^(?:never|local|link|false)$/i;

/** Returns what makes an article unpublished, e.g. `draft: true`, or null. `dates` has its creation dates by field. */
export function whyUnpublished(
  { fields, originalName }: FrontMatter,
  { path, dates, now }: { path: string; dates: ReadonlyMap<string, string>; now: Date },
): string | null {
  if (!fields) return "it has no front matter";
  return (
    whyHiddenByPath(path) ??
    whyHiddenByField(fields, originalName) ??
    whyHiddenByDate(fields, originalName, { dates, now })
  );
}

function whyHiddenByPath(path: string): string | null {
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  const hidden = folders.find((folder) => HIDDEN_FOLDER.test(folder));
  if (hidden) return `in the folder ${hidden}`;
  return HIDDEN_FILE.test(file) ? `named ${file}` : null;
}

function whyHiddenByField(
  fields: ReadonlyMap<string, unknown>,
  originalName: FrontMatter["originalName"],
): string | null {
  for (const [name, value] of fields) {
    if (isHiding(name, value)) return `${originalName(name)}: ${describeValue(value)}`;
  }
  return null;
}

function isHiding(name: string, value: unknown): boolean {
  const text = typeof value === "string" ? value.trim() : null;
  if (PUBLIC_FLAGS.has(name)) {
    // Some generators write the publication date instead of `true`.
    return text === null || !(YES.test(text) || parseDate(text));
  }
  if (name === "build") return isHidingInHugo(value);
  if (name === "permalink") return text === "false";
  if (name === "tags" || name === "categories") return isTaggedAsDraft(value);
  if (text === "" || value === null) return false;
  if (HIDDEN_FLAGS.has(name)) return text === null || !NO.test(text);
  if (STATES.has(name)) return text === null || !PUBLIC_STATE.test(text);
  if (AUDIENCES.has(name)) return text === null || !PUBLIC_AUDIENCE.test(text);
  return PASSWORDS.has(name);
}

function isHidingInHugo(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { render = "", list = "" } = value as Record<string, unknown>;
  return HUGO_NEVER.test(String(render)) || HUGO_NEVER.test(String(list));
}

function isTaggedAsDraft(value: unknown): boolean {
  const tags = Array.isArray(value) ? value.map(String) : String(value ?? "").split(/[,\s]+/);
  return tags.some((tag) => /^#?drafts?$/i.test(tag.trim()));
}

function whyHiddenByDate(
  fields: ReadonlyMap<string, unknown>,
  originalName: FrontMatter["originalName"],
  { dates, now }: { dates: ReadonlyMap<string, string>; now: Date },
): string | null {
  // The article may be from a computer with a clock that is a few minutes fast.
  const soon = now.getTime() + 5 * 60_000;
  for (const [name, date] of dates) {
    if (startOf(date) > soon) return `${originalName(name)} is in the future: ${date.slice(0, 10)}`;
  }
  for (const [name, value] of fields) {
    if (!(PUBLIC_FROM.has(name) || PUBLIC_UNTIL.has(name)) || value === "" || value === null) continue;
    const date = typeof value === "string" ? parseDate(value) : null;
    const isPublic = date && startOf(date) > now.getTime() === PUBLIC_UNTIL.has(name);
    if (!isPublic) return `${originalName(name)}: ${describeValue(value)}`;
  }
  return null;
}

function describeValue(value: unknown): string {
  const text = typeof value === "string" ? value.trim() || "(empty)" : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Whether a field only controls if, when and for whom an article is public. The import doesn't list it as left out. */
export function isPublicationField(name: string): boolean {
  return [PUBLIC_FLAGS, HIDDEN_FLAGS, STATES, AUDIENCES, PUBLIC_FROM, PUBLIC_UNTIL].some((set) =>
    set.has(name),
  );
}

function names(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
