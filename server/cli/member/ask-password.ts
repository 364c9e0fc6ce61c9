import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { OperatorError } from "../../config/operator-error.ts";

export type Input = NodeJS.ReadableStream & { isTTY?: boolean };

/** The first line of the input. At a terminal it asks, and hides what is typed. Throws OperatorError without a line. */
export function readPassword(input: Input, ask: (question: string) => void): Promise<string> {
  const atTerminal = input.isTTY === true;
  if (atTerminal) ask("Password: ");
  return new Promise((resolve, reject) => {
    const lines = createInterface(
      atTerminal ? { input, output: silence(), terminal: true } : { input, terminal: false },
    );
    let line: string | undefined;
    lines.once("line", (first) => {
      line = first;
      lines.close();
    });
    lines.once("SIGINT", () => lines.close());
    lines.once("close", () => {
      if (atTerminal) ask("\n");
      if (line !== undefined && line !== "") resolve(line);
      else reject(new OperatorError("No password: give --password, or one line on standard input."));
    });
  });
}

function silence(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
