import { once } from "node:events";
import { createInterface } from "node:readline";
import { OperatorError } from "../../config/operator-error.ts";

export type Input = NodeJS.ReadableStream & { isTTY?: boolean };

/** Reads the first line of the input. A terminal prompts and hides the typed text. Throws OperatorError if there is no line. */
export async function readPassword(input: Input, ask: (question: string) => void): Promise<string> {
  const atTerminal = input.isTTY === true;
  if (atTerminal) ask("Password: ");
  // No output stream, so that readline doesn't echo the password.
  const lines = createInterface({ input, terminal: atTerminal });
  lines.once("SIGINT", () => lines.close());
  const [line] = await Promise.race([once(lines, "line"), once(lines, "close")]);
  lines.close();
  if (atTerminal) ask("\n");
  // PowerShell and some editors start with a byte-order mark.
  const password = line?.replace(/^\uFEFF/, "");
  if (password) return password;
  throw new OperatorError("No password: give --password, or one line on standard input.");
}
