import { tableNamed } from "../../common/data/table-named.ts";
import { PictureError } from "../../common/pictures/picture-error.ts";
import { nextId } from "./ids.ts";
import type { LeftOut } from "./left-out.ts";
import type { PlanLine, Write } from "./plan.ts";
import type { ImportSite } from "./site.ts";

export interface ImportResult {
  imported: number;
  failed: LeftOut[];
  /** Why the import stopped early, or null. */
  stopped: string | null;
}

interface WriteResult {
  error: { message: string } | null;
  status: number;
}

const STOPPED = "The import was stopped.";
const MAX_OTHER_IDS = 20;
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000];

interface Run {
  lines: PlanLine[];
  signal: AbortSignal;
  onStored(count: number): void;
}

/** Runs the writes of each line in turn. To complete a stopped import, the member can import the same files again. */
export async function runImport(site: ImportSite, { lines, signal, onStored }: Run): Promise<ImportResult> {
  const result: ImportResult = { imported: 0, failed: [], stopped: null };
  for (const [index, line] of lines.entries()) {
    if (signal.aborted) return { ...result, stopped: STOPPED };
    const { error, status } = await store(site, line.writes, signal);
    if (error && isUnreachable(status)) {
      return { ...result, stopped: signal.aborted ? STOPPED : "The server is not responding." };
    }
    if (status === 401) return { ...result, stopped: "You are no longer signed in." };
    if (error) result.failed.push({ source: line.title, reason: `could not be stored: ${error.message}` });
    else result.imported++;
    onStored(index + 1);
  }
  return result;
}

async function store(site: ImportSite, writes: Write[], signal: AbortSignal): Promise<WriteResult> {
  let result: WriteResult = { error: null, status: 200 };
  for (const write of writes) {
    result = await withRetries(() => send(site, write), signal);
    if (result.error) break;
  }
  return result;
}

async function send({ data, pictures, userId }: ImportSite, write: Write): Promise<WriteResult> {
  if ("blob" in write) return sendPicture(() => pictures.store(write.picturePath, write.blob));
  if (!("row" in write)) return data.from(write.table).delete().eq("id", write.obsoleteId);
  const { table, row } = write;
  const upsert = async (id: unknown) => tableNamed(data, table).upsert({ ...row, id });
  let id = row["id"];
  let result = await upsert(id);
  // Only the server knows the ids of other members' earlier versions. The next import finds the row in the same way.
  for (let tries = 0; tries < MAX_OTHER_IDS && result.status === 409 && "created_at" in row; tries++) {
    id = nextId(String(id), userId);
    result = await upsert(id);
  }
  return result;
}

async function sendPicture(store: () => Promise<void>): Promise<WriteResult> {
  try {
    await store();
    return { error: null, status: 200 };
  } catch (error) {
    const isRejected = error instanceof PictureError && error.isRejected;
    return { error: { message: String((error as Error).message) }, status: isRejected ? 400 : 0 };
  }
}

/** Repeats a write if the server is unreachable or busy. Repeating is safe, because writes are idempotent. */
async function withRetries(work: () => Promise<WriteResult>, signal: AbortSignal): Promise<WriteResult> {
  let result = await work();
  for (const delay of RETRY_DELAYS_MS) {
    if (!result.error || !isUnreachable(result.status)) break;
    await pause(delay, signal);
    if (signal.aborted) break;
    result = await work();
  }
  return result;
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
