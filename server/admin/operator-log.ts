import { userInfo } from "node:os";
import type { LoggedAction } from "../../common/data/operators.ts";
import type { AdminClient } from "./admin-client.ts";
import { anyContains } from "./text-filter.ts";

/** An operator on the page, or a user of the machine who runs a command and has no id. */
export interface Actor {
  id: string | null;
  /** The operator's email address, or the name of the machine's user. */
  name: string;
}

export interface LogEntry {
  /** The action's name, for example "member.suspended". */
  action: string;
  target: { type: string; id: string; name: string };
  details?: Record<string, string | number | undefined>;
}

interface LogCursor {
  created_at: string;
  id: string;
}

/** Returns the entry's part of a log line. Omits titles, so that the machine's log contains no content. */
export function lineOf({ target: { type, id, name }, details }: LogEntry): Record<string, unknown> {
  if (type === "member") return { id, email: name, ...details };
  if (type === "invitation_link") return { id, ...details };
  return type === "picture" ? { id } : { table: type, id };
}

/**
 * Stores an entry in `public.operator_log`, which keeps it for a year. Returns the problem if that
 * fails, instead of throwing: the action itself has succeeded.
 */
export async function storeEntry(
  { data }: AdminClient,
  actor: Actor,
  { action, target, details = {} }: LogEntry,
): Promise<string | undefined> {
  try {
    const row = {
      operator_id: actor.id,
      operator: actor.name,
      action,
      target: target.name,
      details: { type: target.type, id: target.id, ...details },
    };
    await data.from("operator_log").insert(row).throwOnError();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export interface LogQuery {
  /** A part of the operator, the action or its target. */
  search?: string | undefined;
  cursor?: LogCursor | undefined;
  size: number;
}

/** Returns the newest entries that are older than the cursor's. Throws PostgrestError or OperatorError. */
export async function readLog(
  { data }: AdminClient,
  { search, cursor, size }: LogQuery,
): Promise<LoggedAction[]> {
  let entries = data.from("operator_log").select("*");
  // The page shows "Member suspended" for "member.suspended", and `*` in a pattern matches any character.
  if (search?.trim())
    entries = entries.or(
      [
        anyContains(["operator", "target"], search.trim()),
        anyContains(["action"], search.trim().replace(/\s/g, "*")),
      ].join(),
    );
  if (cursor) {
    const { created_at, id } = cursor;
    entries = entries.or(`created_at.lt.${created_at},and(created_at.eq.${created_at},id.gt.${id})`);
  }
  const ordered = entries.order("created_at", { ascending: false }).order("id");
  return (await ordered.limit(size).throwOnError()).data;
}

/**
 * Returns the operating system's user who runs the command, also if `sudo` runs it as another one. Falls back to the user's
 * id: `userInfo` throws if the user has no name, as in some containers.
 */
export function machineUser(): string {
  try {
    return process.env["SUDO_USER"] || userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
