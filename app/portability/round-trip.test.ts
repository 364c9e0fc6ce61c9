import fc from "fast-check";
import { expect, test } from "vitest";
import type { Column } from "../../common/data/columns.ts";
import { hasText } from "../../common/data/has-text.ts";
import type { ContentRow, Profile, Skill } from "../../common/data/schema.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { writeFrontMatter } from "../../common/kinds/write-front-matter.ts";
import { safeAddress } from "../../common/safe-address.ts";
import { ADA, GRACE, NOTHING_STORED, read, rowsToWrite, siteWith } from "../../tests/support/imports.ts";
import { readFrontMatter } from "../import/article/front-matter.ts";
import { archiveFiles, zipTexts } from "./export/archive.ts";
import type { MemberContent } from "./export/member-content.ts";

/** Any string without NUL, because PostgreSQL can't store NUL. */
const anyText = fc.string({ unit: "binary", maxLength: 60 }).map((text) => text.replaceAll("\0", ""));
const hostileText = fc.oneof(
  anyText,
  fc.constantFrom(
    "---\ntitle: not mine\n---\n",
    "---",
    "+++\n",
    "\r\n\r\nCRLF\r\n",
    "no newline at the end",
    "\ufeffbyte-order mark",
    'quotes " and \\ and \u2028 and \u0085 and \u007f',
    "- [ ] * & ! % @ ` : # | >",
    "../../etc/passwd",
    "\u202eright to left",
    "CON",
    "# A title\n\n%%a comment%% ![a](b.png =3x3){: .c } [[note|d]] __GHOST_URL__/e",
    "\n\n{{< highlight sql >}}\nselect 1\n{{< /highlight >}}\n![a|300](b.png)",
    "<p>\n<img src=a.png>\n</p>\r",
    "~",
    "null",
    "2024-01-05",
    "%PDF\u{1F600}",
  ),
  fc
    .array(fc.constantFrom("---", "\n", "\r", " ", "\t", "...", "a", ":", "\ufeff"), { maxLength: 12 })
    .map((all) => all.join("")),
);
/** The database rejects required text without a visible character. */
const required = hostileText.filter(hasText);
const optional = fc.option(hostileText, { nil: null });
const time = fc
  .tuple(
    fc.date({ min: new Date("1990-01-01"), max: new Date("2026-01-01"), noInvalidDate: true }),
    fc.nat(999),
  )
  .map(([date, micros]) => date.toISOString().replace("Z", `${String(micros).padStart(3, "0")}+00:00`));

const address = fc.oneof(
  fc.webUrl(),
  hostileText.filter((text) => safeAddress(text) !== ""),
);
const day = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });

/** Any value that the database allows in a column. */
function storedValue(column: Column): fc.Arbitrary<unknown> {
  switch (column.type) {
    case "flag":
      return fc.boolean();
    case "list":
      return fc.array(hostileText, { maxLength: 3 });
    case "number":
      return fc.integer(column);
    case "choice":
      return fc.constantFrom(...Object.keys(column.options));
    case "date":
      return day.map((date) => date.toISOString().slice(0, 10));
    case "address":
      return address.filter(hasText);
    default:
      return column.isRequired ? required : hostileText;
  }
}

function itemOf({ ownerColumn, columns, hasUpdatedAt }: KindDefinition): fc.Arbitrary<ContentRow> {
  const values = Object.entries(columns).map(([name, column]) => {
    const isOptional = "isRequired" in column ? !column.isRequired : !/flag|list/.test(column.type);
    const value = storedValue(column);
    return [name, isOptional ? fc.option(value, { nil: null }) : value];
  });
  return fc.record({
    id: fc.uuid(),
    [ownerColumn]: fc.constant(ADA),
    ...Object.fromEntries(values),
    created_at: time,
    ...(hasUpdatedAt && { updated_at: time }),
  });
}

const skill = fc.record<Skill>({
  id: fc.uuid(),
  profile_id: fc.constant(ADA),
  category: fc.constantFrom("python", "sql", "aws", "tools"),
  name: hostileText,
  proficiency: fc.integer({ min: 1, max: 5 }),
  years_experience: fc.nat(60),
  created_at: time,
});
const profile = fc.record<Profile>({
  id: fc.constant(ADA),
  username: optional,
  full_name: optional,
  bio: optional,
  avatar_url: fc.option(address, { nil: null }),
  current_title: optional,
  company: optional,
  years_experience: fc.option(fc.nat(80), { nil: null }),
  featured: fc.boolean(),
  linkedin_url: fc.option(address, { nil: null }),
  featured_skills: fc.array(hostileText, { maxLength: 3 }),
  created_at: time,
  updated_at: time,
  username_since: time,
  joined_at: fc.constant(null),
  left_at: fc.constant(null),
  unlisted_until: fc.constant(null),
});
const byId = { selector: ({ id }: { id: string }) => id, maxLength: 6 };
const member: fc.Arbitrary<MemberContent> = fc.record({
  profile,
  skills: fc.uniqueArray(skill, byId),
  items: fc.record<Record<string, ContentRow[]>>(
    Object.fromEntries(KINDS.map((kind) => [kind.table, fc.uniqueArray(itemOf(kind), byId)])),
  ),
});

async function archiveOf(content: MemberContent): Promise<File> {
  return new File([await zipTexts(archiveFiles(content))], "techfolio-ada-2026-01-01.zip");
}

const asWritten = (rows: (object & { updated_at?: string | null })[], owner: object) =>
  rows.map(({ updated_at, ...row }) => ({ ...row, ...owner }));

const sorted = (rows: object[]) => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();

test("importing a download into an empty site restores the profile, the skills, and the items with their ids and dates", async () => {
  await fc.assert(
    fc.asyncProperty(member, async (content) => {
      const imported = await read(await archiveOf(content));
      expect(imported.leftOut).toEqual([]);
      const rows = rowsToWrite(imported, NOTHING_STORED, GRACE);
      const rowsIn = (table: string) => rows.filter((write) => write.table === table).map(({ row }) => row);
      for (const { table, ownerColumn } of KINDS) {
        expect(sorted(rowsIn(table))).toEqual(
          sorted(asWritten(content.items[table] ?? [], { [ownerColumn]: GRACE })),
        );
      }
      const { id, created_at, updated_at, username_since, joined_at, left_at, unlisted_until, ...rest } =
        content.profile;
      expect(imported.profile).toEqual(rest);
      expect(imported.skills).toEqual(
        content.skills.map(({ id, profile_id, created_at, ...skill }) => ({
          ...skill,
          createdAt: created_at,
        })),
      );
    }),
    { numRuns: 60 },
  );
});

test("importing a download a second time writes no items, even if other members' items have the same ids", async () => {
  await fc.assert(
    fc.asyncProperty(member, fc.boolean(), async (content, areTaken) => {
      const imported = await read(await archiveOf(content));
      const all = rowsToWrite(imported, NOTHING_STORED, ADA);
      const before = areTaken ? siteWith(all) : NOTHING_STORED;
      const first = rowsToWrite(imported, before, GRACE);
      expect(first).toHaveLength(all.length);
      const after = siteWith(first);
      for (const { table } of KINDS) {
        for (const [id, row] of before.items[table] ?? []) after.items[table]?.set(id, row);
      }
      expect(rowsToWrite(imported, after, GRACE)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test("any title and text, including NUL, can be written as a file with front matter and read again", () => {
  const text = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(
      fc.oneof(text, hostileText),
      fc.oneof(text, hostileText),
      fc.boolean(),
      (title, body, published) => {
        const { fields, body: read } = readFrontMatter(writeFrontMatter({ title, published }) + body);
        expect(Object.fromEntries(fields ?? [])).toEqual({ title, published: String(published) });
        expect(read).toBe(body);
      },
    ),
    { numRuns: 500 },
  );
});
