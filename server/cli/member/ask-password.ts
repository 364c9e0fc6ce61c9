import { once } from "node:events";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { OperatorError } from "../../config/operator-error.ts";

export type Input = NodeJS.ReadableStream & { isTTY?: boolean };

/** The first line of the input. At a terminal it asks, and hides what is typed. Throws OperatorError without a line. */
export async function readPassword(input: Input, ask: (question: string) => void): Promise<string> {
  const atTerminal = input.isTTY === true;
  if (atTerminal) ask("Password: ");
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silence, terminal: atTerminal });
  lines.once("SIGINT", () => lines.close());
  const [line] = await Promise.race([once(lines, "line"), once(lines, "close")]);
  lines.close();
  if (atTerminal) ask("\n");
  if (line) return line;
  throw new OperatorError("No password: give --password, or one line on standard input.");
}
