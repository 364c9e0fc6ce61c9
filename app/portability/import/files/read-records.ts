import * as v from "valibot";
import { FIELDS, type FileContent, ORIGIN, PROFILE, SKILL } from "../items.ts";
import { attempt, check, NotRead } from "../left-out.ts";

const LIST = /(?:^|\/)(profile|skills|useful-links|sample-code)\.json$/;

// To Valibot a list is an object as well, and a profile may lack every field.
const PROFILE_FILE = v.pipe(
  v.custom((value) => !Array.isArray(value)),
  PROFILE,
);
const NAMES_FILE = v.object({ file: v.string() });

export const isList = (path: string) => LIST.test(path);

/** Reads the lists among an archive's files, and the code that `sample-code.json` names. */
export async function readRecords(content: FileContent, files: Map<string, string>): Promise<void> {
  for (const [path, text] of files) {
    const [, name] = LIST.exec(path) ?? [];
    if (!name) continue;
    files.delete(path);
    await attempt(content.leftOut, path, async () => {
      const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
      if (name === "profile") content.profile = check(PROFILE_FILE, value);
      else await readEntries(content, files, { path, name, entries: v.parse(v.array(v.unknown()), value) });
    });
  }
  for (const source of files.keys()) {
    content.leftOut.push({ source, reason: "is not named in sample-code.json" });
  }
}

async function readEntries(
  content: FileContent,
  files: Map<string, string>,
  { path, name, entries }: { path: string; name: string; entries: unknown[] },
): Promise<void> {
  const { items, leftOut } = content;
  // Of skills that cannot be read at all, none replaces those that are here.
  if (name === "skills" && entries.length === 0) content.skills = [];
  for (const [index, entry] of entries.entries()) {
    const unreadable = `has an entry that cannot be read (number ${index + 1})`;
    await attempt(leftOut, path, async () => {
      const origin = { ...check(ORIGIN, entry, unreadable), notes: [] };
      if (name === "skills") {
        const skill = { ...check(SKILL, entry, unreadable), createdAt: origin.createdAt };
        content.skills ??= [];
        content.skills.push(skill);
      } else if (name === "useful-links") {
        const fields = check(FIELDS.useful_links, entry, unreadable);
        items.push({ table: "useful_links", source: path, path: `${path}:${fields.url}`, ...origin, fields });
      } else {
        const { file } = check(NAMES_FILE, entry, unreadable);
        const source = path.replace(/sample-code\.json$/, () => file);
        await attempt(leftOut, source, () => {
          const code_content = files.get(source);
          if (code_content === undefined)
            throw new NotRead("is named in sample-code.json and not in the archive");
          files.delete(source);
          const described = { ...(entry as object), code_content };
          const fields = check(FIELDS.code_samples, described, "is not described in sample-code.json");
          items.push({ table: "code_samples", source, path: `${path}:${file}`, ...origin, fields });
        });
      }
    });
  }
}
