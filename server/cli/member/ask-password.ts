import { once } from "node:events";
import { createInterface } from "node:readline";
import { OperatorError } from "../../config/operator-error.ts";

export type Input = NodeJS.ReadableStream & { isTTY?: boolean };

/** The first line of the input. At a terminal it asks, and hides what is typed. Throws OperatorError without a line. */
export async function readPassword(input: Input, ask: (question: string) => void): Promise<string> {
  const atTerminal = input.isTTY === true;
  if (atTerminal) ask("Password: ");
  // Without an output, readline shows nothing.
  const lines = createInterface({ input, terminal: atTerminal });
  lines.once("SIGINT", () => lines.close());
  const [line] = await Promise.race([once(lines, "line"), once(lines, "close")]);
  lines.close();
  if (atTerminal) ask("\n");
  // PowerShell and some editors write a byte-order mark first.
  const password = line?.replace(/^\uFEFF/, "");
  if (password) return password;
  throw new OperatorError("No password: give --password, or one line on standard input.");
}
