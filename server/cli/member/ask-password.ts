import { once } from "node:events";
import { createInterface } from "node:readline";
import { OperatorError } from "../../config/operator-error.ts";

export type Input = NodeJS.ReadableStream & { isTTY?: boolean };

/** Reads the first line of the input. On a terminal, shows a prompt and hides the password. Throws OperatorError. */
export async function readPassword(input: Input, prompt: (text: string) => void): Promise<string> {
  const atTerminal = input.isTTY === true;
  // Readline doesn't echo the password, because it has no output stream. It starts before the prompt, because the terminal
  // echoes what arrives earlier, such as the answer of a script.
  const lines = createInterface({ input, terminal: atTerminal });
  if (atTerminal) prompt("Password: ");
  lines.once("SIGINT", () => lines.close());
  const [line] = await Promise.race([once(lines, "line"), once(lines, "close")]);
  lines.close();
  if (atTerminal) prompt("\n");
  // Remove a byte-order mark, which PowerShell and some editors put before the text.
  const password = line?.replace(/^\uFEFF/, "");
  if (password) return password;
  throw new OperatorError("No password was given: set --password, or pass the password on standard input.");
}
