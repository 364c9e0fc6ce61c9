import { userInfo } from "node:os";

export function audit(event: string, row: Record<string, string | undefined>): void {
  const entry = { time: new Date().toISOString(), event, user: machineUser(), ...row };
  process.stderr.write(`${JSON.stringify(entry)}\n`);
}

/** In a container, the user may have an id but no name, for which `userInfo` throws. */
function machineUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
