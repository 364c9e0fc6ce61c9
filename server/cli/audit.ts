import { userInfo } from "node:os";

export function audit(event: string, row: Record<string, string | undefined>): void {
  const entry = { time: new Date().toISOString(), event, user: machineUser(), ...row };
  process.stderr.write(`${JSON.stringify(entry)}\n`);
}

/** Falls back to the user's id: `userInfo` throws if the user has no name, as in some containers. */
function machineUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
