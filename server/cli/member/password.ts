import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { MemberError } from "./member-error.ts";

/** Where a line is read from: a terminal or anything else. */
export type Input = NodeJS.ReadableStream & { isTTY?: boolean };

/**
 * Takes standard input and where to ask, returns the first line of the input. At a terminal it asks, and shows
 * nothing of what is typed. Throws MemberError when there is no line.
 */
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
      else reject(new MemberError("No password: give --password, or one line on standard input."));
    });
  });
}

/** What a terminal's line editor writes to instead of the screen. */
function silence(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
