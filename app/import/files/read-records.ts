import * as v from "valibot";
import { KINDS, kindSlug } from "../../../common/kinds/index.ts";
import type { KindDefinition } from "../../../common/kinds/kind-definition.ts";
import { type FileContent, fieldsSchema, ORIGIN, PROFILE, SKILL } from "../items.ts";
import { attempt, ReadError, validate } from "../left-out.ts";

/** The kinds that a download stores in a JSON list. It stores the other kinds only as files with front matter. */
const LISTED = KINDS.filter(({ file }) => !file?.hasFrontMatter);
const LIST = new RegExp(`(?:^|/)(profile|skills|${LISTED.map(kindSlug).join("|")})\\.json$`);
/** Matches a file that a kind's JSON list refers to. */
const NAMED = new RegExp(
  `(?:^|/)(${LISTED.filter(({ file }) => file)
    .map(kindSlug)
    .join("|")})/[^/]+$`,
);

// Rejects arrays, which Valibot accepts as objects without fields: because all fields of a profile are optional, an
// array would count as an empty profile.
const PROFILE_FILE = v.pipe(
  v.custom((value) => !Array.isArray(value)),
  PROFILE,
);
const NAMES_FILE = v.object({ file: v.string() });

/** Whether a JSON list next to the file's folder may refer to the file. */
export function isListedRecord(path: string, paths: ReadonlySet<string>): boolean {
  const [, name] = NAMED.exec(path) ?? [];
  return name !== undefined && paths.has(path.replace(/[^/]+\/[^/]+$/, `${name}.json`));
}

export const isRecord = (path: string) => LIST.test(path) || NAMED.test(path);

/**
 * Reads an archive's profile and JSON lists, and the files that the lists refer to. Returns the path of the profile's
 * file, or undefined if the archive has none.
 */
export async function readRecords(
  content: FileContent,
  files: Map<string, string>,
): Promise<string | undefined> {
  let profileSource: string | undefined;
  for (const [path, text] of files) {
    const [, name] = LIST.exec(path) ?? [];
    if (!name) continue;
    files.delete(path);
    await attempt(content.leftOut, path, async () => {
      const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
      if (name === "profile") {
        content.profile = validate(PROFILE_FILE, value);
        profileSource = path;
      } else await readEntries(content, files, { path, name, entries: v.parse(v.array(v.unknown()), value) });
    });
  }
  for (const source of files.keys()) {
    const [, name] = NAMED.exec(source) ?? [];
    content.leftOut.push({ source, reason: `is not listed in ${name}.json` });
  }
  return profileSource;
}

async function readEntries(
  content: FileContent,
  files: Map<string, string>,
  { path, name, entries }: { path: string; name: string; entries: unknown[] },
): Promise<void> {
  const { items, leftOut } = content;
  // An empty list replaces the stored skills, but a list of unreadable entries must not.
  if (name === "skills" && entries.length === 0) content.skills = [];
  const kind = LISTED.find((kind) => kindSlug(kind) === name);
  for (const [index, entry] of entries.entries()) {
    const unreadable = `has an entry that cannot be read (number ${index + 1})`;
    await attempt(leftOut, path, async () => {
      const origin = {
        ...validate(ORIGIN, entry, unreadable),
        unpublishedReason: null,
        modifiedAt: null,
        hasUnreadableDate: false,
        notes: [],
      };
      if (!kind) {
        const skill = { ...validate(SKILL, entry, unreadable), createdAt: origin.createdAt };
        content.skills ??= [];
        content.skills.push(skill);
      } else if (!kind.file) {
        const fields = validate(fieldsSchema(kind.table), entry, unreadable);
        const key = String(fields[keyColumn(kind)]);
        items.push({ table: kind.table, source: path, path: `${path}:${key}`, ...origin, fields });
      } else {
        const { column } = kind.file;
        const { file } = validate(NAMES_FILE, entry, unreadable);
        const source = path.replace(/[^/]+$/, () => file);
        await attempt(leftOut, source, () => {
          const text = files.get(source);
          if (text === undefined) throw new ReadError(`is listed in ${name}.json but is not in the archive`);
          files.delete(source);
          const { isRequired } = { isRequired: false, ...kind.columns[column] };
          const described = { ...(entry as object), [column]: text || (isRequired ? "" : null) };
          const fields = validate(
            fieldsSchema(kind.table),
            described,
            `has an invalid entry in ${name}.json`,
          );
          items.push({ table: kind.table, source, path: `${path}:${file}`, ...origin, fields });
        });
      }
    });
  }
}

/** Returns the column that identifies an entry without an id: the URL or, for kinds without URLs, the title. */
function keyColumn({ columns }: KindDefinition): string {
  const address = Object.entries(columns).find(([, column]) => column.type === "address");
  return address?.[0] ?? "title";
}
