import { diffArrays } from "diff";
import type { Column } from "../../common/data/columns.ts";
import { MAX_CHARACTERS } from "../../common/data/limits.ts";
import type { FormValues, KindDefinition } from "../../common/kinds/kind-definition.ts";
import { wordsOf } from "./differences.ts";

interface Count {
  added: number;
  removed: number;
}

/** The differences between two versions that follow each other. */
interface Changes {
  /** The title before the save, if the save changed it. */
  title?: string;
  words?: Count;
  /** Code is counted by line. */
  lines?: Count;
  /** The nouns of the other changed columns. */
  others: string[];
}

/** A comparison of two texts with little in common stops after this time. The numbers are then estimates. */
const TIMEOUT_MS = 100;

export function changesBetween(
  { columns }: KindDefinition,
  before: FormValues,
  after: FormValues,
  timeout = TIMEOUT_MS,
): Changes {
  const changes: Changes = { others: [] };
  for (const [name, column] of Object.entries(columns)) {
    const [from, to] = [before[name], after[name]];
    if (from === to) continue;
    const texts = [String(from), String(to)] as const;
    if (name === "title") changes.title = texts[0];
    else if (column.type === "code") changes.lines = countChanges(...texts, true, timeout);
    else if (isLong(column)) changes.words = sumOf(changes.words, countChanges(...texts, false, timeout));
    else changes.others.push(column.noun);
  }
  return changes;
}

const isLong = (column: Column) =>
  column.type === "markdown" || (column.type === "text" && column.maxLength > MAX_CHARACTERS.name);

/** Returns a description such as `+120 −35 words · title was “Draft”`. */
export function describeChanges({ title, words, lines, others }: Changes): string {
  return [
    words && `${signed(words)} words`,
    lines && `${signed(lines)} lines`,
    others.length > 0 && `changed: ${others.join(", ")}`,
    title !== undefined && `title was “${title}”`,
  ]
    .filter(Boolean)
    .join(" · ");
}

const signed = ({ added, removed }: Count) => `+${added} −${removed}`;

const sumOf = (one: Count | undefined, other: Count): Count => ({
  added: (one?.added ?? 0) + other.added,
  removed: (one?.removed ?? 0) + other.removed,
});

function countChanges(before: string, after: string, isCode: boolean, timeout: number): Count {
  const [oldLines, newLines] = withoutCommonEnds(before.split("\n"), after.split("\n"));
  const unitsOf = (lines: string[]) => (isCode ? lines : wordsOf(lines.join("\n")));
  const [oldUnits, newUnits] = [unitsOf(oldLines), unitsOf(newLines)];
  const parts = diffArrays(oldUnits, newUnits, { timeout });
  if (!parts) return estimateChanges(oldUnits, newUnits);
  const count = { added: 0, removed: 0 };
  for (const { added, removed, value } of parts) {
    if (added) count.added += value.length;
    if (removed) count.removed += value.length;
  }
  return count;
}

/** Most saves change a few lines of a long text. Only these need a comparison by word. */
function withoutCommonEnds(some: string[], others: string[]): [string[], string[]] {
  const shorter = Math.min(some.length, others.length);
  let start = 0;
  while (start < shorter && some[start] === others[start]) start++;
  let end = 0;
  while (end < shorter - start && some.at(-1 - end) === others.at(-1 - end)) end++;
  return [some.slice(start, some.length - end), others.slice(start, others.length - end)];
}

/** Counts the units that only one of the texts has, wherever they are. Moved units don't count. */
function estimateChanges(before: string[], after: string[]): Count {
  const counts = new Map<string, number>();
  for (const unit of after) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  for (const unit of before) counts.set(unit, (counts.get(unit) ?? 0) - 1);
  const count = { added: 0, removed: 0 };
  for (const difference of counts.values()) {
    if (difference > 0) count.added += difference;
    else count.removed -= difference;
  }
  return count;
}
