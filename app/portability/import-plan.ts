import { LANGUAGES } from "../data/vocabulary.ts";
import { safeAddress } from "../ui/address.ts";
import { derivedId } from "./ids.ts";
import type { Fields, FileContent, FileItem, FileProfile, FileSkill, ItemTable, LeftOut } from "./items.ts";
import type { Stored } from "./stored-rows.ts";

type PlannedSkill = Omit<FileSkill, "id"> & { id: string };

export interface ItemStep {
  kind: "item";
  table: ItemTable;
  id: string;
  isNew: boolean;
  item: FileItem;
}

export type Step =
  | ItemStep
  | { kind: "profile"; profile: FileProfile }
  | { kind: "skills"; skills: PlannedSkill[]; obsoleteIds: string[]; replaced: number };

export interface PlanLine {
  key: string;
  step: Step;
  isTickedAtFirst: boolean;
  notes: string[];
}

export interface Plan {
  lines: PlanLine[];
  leftOut: LeftOut[];
}

export function planImport(content: FileContent, stored: Stored, userId: string): Plan {
  const plan: Plan = { lines: [], leftOut: [...content.leftOut] };
  const sources = new Map<string, FileItem>();
  for (const item of content.items) {
    const planned = planItem(item, stored, userId);
    const key = planned.kind === "line" ? planned.line.key : "";
    const twin = sources.get(key);
    if (planned.kind === "left out") plan.leftOut.push({ source: item.source, reason: planned.reason });
    else if (twin) plan.leftOut.push({ source: item.source, reason: twinReason(item, twin) });
    else {
      sources.set(key, item);
      plan.lines.push(planned.line);
    }
  }
  planProfile(plan, content, stored);
  planSkills(plan, content, stored, userId);
  return plan;
}

function planItem(
  item: FileItem,
  { items }: Stored,
  userId: string,
): { kind: "line"; line: PlanLine } | { kind: "left out"; reason: string } {
  const reason = flawOf(item);
  if (reason) return { kind: "left out", reason };
  const rows = items[item.table];
  const id = targetId(item, rows, userId);
  const row = rows.get(id);
  if (row === "taken") return { kind: "left out", reason: "has an id that somebody else has taken" };
  if (row && isSame(item, row.fields)) return { kind: "left out", reason: "is already here, and the same" };
  const isOlder = isBefore(item.updatedAt, row?.updated_at);
  return {
    kind: "line",
    line: {
      key: `${item.table}/${id}`,
      step: { kind: "item", table: item.table, id, isNew: !row, item },
      isTickedAtFirst: !isOlder,
      notes: isOlder ? ["older than what is here", ...item.notes] : item.notes,
    },
  };
}

/** One's own row first, whichever way it got its id; then a free id; else one that nobody else can have come by. */
function targetId({ id, path }: FileItem, rows: Stored["items"][ItemTable], userId: string): string {
  const derived = derivedId(userId, id ?? path);
  if (id === null) return derived;
  const row = rows.get(id);
  if (row && row !== "taken") return id;
  return row || rows.has(derived) ? derived : id;
}

const COMPARED: { [Table in ItemTable]: (keyof Fields[Table])[] } = {
  articles: ["title", "content", "published"],
  useful_links: ["title", "url", "description", "category"],
  code_samples: ["title", "description", "code_content", "language"],
};

function isSame({ table, fields }: FileItem, stored: Fields[ItemTable]): boolean {
  const columns = COMPARED[table] as (keyof Fields[ItemTable])[];
  return columns.every((column) => fields[column] === stored[column]);
}

function isBefore(one: string | null, other: string | null | undefined): boolean {
  return Boolean(one && other) && Date.parse(one ?? "") < Date.parse(other ?? "");
}

function twinReason(item: FileItem, twin: FileItem): string {
  return isSame(item, twin.fields)
    ? `is the same as ${twin.source}`
    : `would take the place of ${twin.source}`;
}

/** Why the database would refuse it. */
function flawOf({ table, fields }: FileItem): string | null {
  if (fields.title === "") return "has no title";
  if (
    Object.values(fields).some(
      (value) => typeof value === "string" && (!value.isWellFormed() || value.includes("\0")),
    )
  ) {
    return "holds a character that cannot be stored (NUL or half a character)";
  }
  if (table === "articles" && (fields as Fields["articles"]).content === "") return "has no text";
  if (table === "useful_links") {
    const { url, category } = fields as Fields["useful_links"];
    if (safeAddress(url) === "") return "has no address that may be opened";
    if (category === "") return "has no category";
  }
  if (table === "code_samples") {
    const { code_content, language } = fields as Fields["code_samples"];
    if (code_content === "") return "has no code";
    if (!Object.hasOwn(LANGUAGES, language))
      return `is in a language that this site does not have: ${language}`;
  }
  return null;
}

function planProfile(plan: Plan, { profile }: FileContent, stored: Stored): void {
  if (!profile) return;
  const now = stored.profile;
  const isSameProfile =
    now !== null &&
    Object.entries(profile).every(
      ([column, value]) => JSON.stringify(value) === JSON.stringify(now[column as keyof FileProfile]),
    );
  if (isSameProfile) plan.leftOut.push({ source: "profile.json", reason: "is already here, and the same" });
  else
    plan.lines.push({
      key: "profile",
      step: { kind: "profile", profile },
      isTickedAtFirst: false,
      notes: [],
    });
}

function planSkills(plan: Plan, { skills }: FileContent, stored: Stored, userId: string): void {
  if (!skills) return;
  const planned = skills.map((skill, index) => {
    const derived = derivedId(userId, skill.id ?? `skills.json:${index}`);
    const isMine = stored.skills.some(({ id }) => id === derived);
    const isFree = skill.id !== null && !stored.takenSkillIds.has(skill.id) && !isMine;
    return { ...skill, id: isFree ? (skill.id ?? derived) : derived };
  });
  const unique = [...new Map(planned.map((skill) => [skill.id, skill])).values()];
  const isSameSet =
    unique.length === stored.skills.length &&
    unique.every((skill) => stored.skills.some((row) => isSameSkill(skill, row)));
  if (isSameSet) plan.leftOut.push({ source: "skills.json", reason: "is already here, and the same" });
  else {
    const obsoleteIds = stored.skills
      .map(({ id }) => id)
      .filter((id) => unique.every((skill) => skill.id !== id));
    const step: Step = { kind: "skills", skills: unique, obsoleteIds, replaced: stored.skills.length };
    plan.lines.push({ key: "skills", step, isTickedAtFirst: false, notes: [] });
  }
}

function isSameSkill(one: PlannedSkill, other: Omit<PlannedSkill, "createdAt">): boolean {
  const columns = ["id", "category", "name", "proficiency", "years_experience"] as const;
  return columns.every((column) => one[column] === other[column]);
}
