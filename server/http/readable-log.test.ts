import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { createLog } from "./log.ts";
import { readable } from "./readable-log.ts";

function linesOf(work: (log: ReturnType<typeof createLog>) => void): string {
  let output = "";
  work(
    createLog((record) => {
      output += readable(record);
    }),
  );
  return stripVTControlCharacters(output).replaceAll(/^\d\d:\d\d:\d\d /gm, "");
}

test("a terminal shows only requests, warnings and errors", () => {
  const output = linesOf((log) => {
    log.info({ versions: ["1"] }, "migrations.applied");
    log.info({ requestId: "a", method: "GET", path: "/articles", status: 200, ms: 12.5 }, "request");
    log.warn({ reason: "run chmod 600 keys.json", limited: true }, "keys.readable");
    log.error({ code: "XX000" }, "request.failed");
  });
  expect(output).toBe(
    [
      "GET /articles 200 (12.5 ms)",
      'warn keys.readable reason="run chmod 600 keys.json" limited=true',
      "error request.failed code=XX000",
      "",
    ].join("\n"),
  );
});

test("control characters in a request's path or in a value don't reach the terminal", () => {
  const hostile = "/\u001b[2J\u009b31m\r\nx";
  const output = linesOf((log) => {
    log.info({ method: "GET", path: hostile, status: 404, ms: 1 }, "request");
    log.warn({ reason: hostile, place: "\u001b]0;x\u0007" }, "request.failed");
  });
  expect(output.match(/\n/g)).toHaveLength(2);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: The test looks for control characters.
  expect(output.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});
