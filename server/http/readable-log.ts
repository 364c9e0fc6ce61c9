import { styleText } from "node:util";

/**
 * Turns a record of the log, which is a line of JSON, into a line for a person at a terminal. Returns an empty string
 * for events that need no attention, except requests.
 */
export function readable(record: string): string {
  const { level, time, event, ...fields } = JSON.parse(record) as Record<string, unknown>;
  if (level === "info" && event !== "request") return "";
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const text = event === "request" ? request(fields) : [label(level), event, ...pairs(fields)].join(" ");
  return `${clock} ${text}\n`;
}

function request({ method, path, status, ms }: Record<string, unknown>): string {
  return printable(`${method} ${path} ${status} (${ms} ms)`);
}

function label(level: unknown): string {
  return styleText(level === "error" ? "red" : "yellow", String(level), { stream: process.stderr });
}

function pairs(fields: Record<string, unknown>): string[] {
  return Object.entries(fields).map(([name, value]) => {
    const isPlain = typeof value === "string" && /^[^\s"]+$/.test(value);
    return `${name}=${printable(isPlain ? value : JSON.stringify(value))}`;
  });
}

/** Control characters could change what the terminal shows. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, "\uFFFD");
}
