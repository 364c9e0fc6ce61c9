import type { DataClient } from "../data/client.ts";
import { OWNERS } from "../data/content-reads.ts";
import type { ItemStep, PlanLine, Step } from "./import-plan.ts";

export interface Outcome {
  imported: number;
  failed: { line: PlanLine; message: string }[];
  /** Why the import ended before its last line. */
  stopped: string | null;
}

interface Answer {
  error: { message: string } | null;
  status: number;
}

const STOPPED = "The import was stopped.";
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000];

interface Run {
  userId: string;
  lines: PlanLine[];
  signal: AbortSignal;
  onStored(count: number): void;
}

/** Stores line after line, each whole or not at all, so that the same import again finishes what was cut off. */
export async function runImport(
  data: DataClient,
  { userId, lines, signal, onStored }: Run,
): Promise<Outcome> {
  const outcome: Outcome = { imported: 0, failed: [], stopped: null };
  for (const [index, line] of lines.entries()) {
    if (signal.aborted) return { ...outcome, stopped: STOPPED };
    const { error, status } = await insist(() => store(data, userId, line.step), signal);
    if (error && isUnreachable(status)) {
      return { ...outcome, stopped: signal.aborted ? STOPPED : "The service does not answer." };
    }
    if (status === 401) return { ...outcome, stopped: "You are no longer signed in." };
    if (error) outcome.failed.push({ line, message: error.message });
    else outcome.imported++;
    onStored(index + 1);
  }
  return outcome;
}

/** Tries again what was not answered or was too much at the moment; a step that is done twice is done once. */
async function insist(work: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  let answer = await work();
  for (const delay of RETRY_DELAYS_MS) {
    if (!answer.error || !isUnreachable(answer.status)) break;
    await pause(delay, signal);
    if (signal.aborted) break;
    answer = await work();
  }
  return answer;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => resolve());
  });
}

function isUnreachable(status: number): boolean {
  return status === 0 || status === 429 || status >= 502;
}

async function store(data: DataClient, userId: string, step: Step): Promise<Answer> {
  switch (step.kind) {
    case "profile":
      return data.from("profiles").upsert({ ...step.profile, id: userId });
    case "skills":
      return replaceSkills(data, userId, step);
    case "item":
      return data.from(step.table).upsert(rowOf(step, userId) as never);
  }
}

/** The time of its creation is given once; `updated_at` is the server's. */
export function rowOf({ table, id, isNew, item }: ItemStep, userId: string): Record<string, unknown> {
  const created = isNew && item.createdAt ? { created_at: item.createdAt } : {};
  return { id, [OWNERS[table]]: userId, ...item.fields, ...created };
}

/** The new ones stand before the old ones go: cut off in between, nothing is lost. */
async function replaceSkills(
  data: DataClient,
  userId: string,
  { skills, obsoleteIds }: Extract<Step, { kind: "skills" }>,
): Promise<Answer> {
  // All rows of one request have the same columns.
  const areDated = skills.every(({ createdAt }) => createdAt);
  const rows = skills.map(({ createdAt, ...skill }) => ({
    ...skill,
    profile_id: userId,
    ...(areDated && { created_at: createdAt }),
  }));
  if (rows.length > 0) {
    const stored = await data.from("skills").upsert(rows as never);
    if (stored.error) return stored;
  }
  for (const id of obsoleteIds) {
    const deleted = await data.from("skills").delete().eq("id", id);
    if (deleted.error) return deleted;
  }
  return { error: null, status: 200 };
}
