import { expect, test, vi } from "vitest";
import { createAdminClient } from "../admin/admin-client.ts";
import { OperatorError, UsageError } from "../config/operator-error.ts";
import { createLog } from "../http/log.ts";
import { errorLine, execute, parseArguments } from "./program.ts";

test("a command that the database rejects prints no message of PostgreSQL's own", async () => {
  const rejection = { code: "42703", message: "column talks.titel does not exist", details: "", hint: "" };
  const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json(rejection, { status: 400 }));
  const site = { url: "http://site.test", serviceKey: "", ifUnreachable: "", ifKeyRejected: "", fetch };
  const { data } = createAdminClient(site);
  const error = await data
    .from("talks")
    .select("titel")
    .throwOnError()
    .then(null, (reason) => reason);
  const line = errorLine("content", error);
  expect(line).toMatch(/^npm run content failed: the site rejected a request \(42703\): check that /);
  expect(line).not.toContain("titel");
});

test.each([OperatorError, Error])("an error message is one line, and cannot control the terminal", (Kind) => {
  const line = errorLine("restore", new Kind("The backup\n  (copy \u001b[2J\u202e) cannot be loaded."));
  expect(line).toContain("The backup (copy  [2J ) cannot be loaded.");
});

/** Runs a program with these arguments and settings. Returns its exit code and what it has written. */
async function run(
  args: string[],
  work: () => Promise<number | undefined>,
  environment: Record<string, string> = {},
) {
  const written = { output: "", errors: "" };
  const log = createLog(() => undefined);
  const code = await execute(
    {
      name: "content",
      usage: "Usage: content\n",
      run: async (_args, { print }) => {
        print("running");
        return work();
      },
    },
    args,
    {
      readEnvironment: () => environment,
      writeOutput: (text) => {
        written.output += text;
      },
      writeError: (text) => {
        written.errors += text;
      },
      log,
    },
  );
  return { code, ...written, level: log.level };
}

const nothing = async () => undefined;
const failWith = (error: Error) => async () => {
  throw error;
};

test.each([["--help"], ["help"], ["-h"], ["list", "--help"]])(
  "%s prints how to use a command",
  async (...args) => {
    expect(await run(args, nothing)).toMatchObject({ code: 0, output: "Usage: content\n", errors: "" });
  },
);

test("a program's exit code is its own, 0, 2 for a wrong command line, or 1 for another error", async () => {
  expect(await run(["list", "help"], nothing)).toMatchObject({ code: 0, output: "running\n", level: "warn" });
  expect(await run([], async () => 3)).toMatchObject({ code: 3, errors: "" });
  expect(await run([], failWith(new UsageError('"list" needs an ID')))).toMatchObject({
    code: 2,
    errors: '"list" needs an ID. See npm run content -- --help\n',
  });
  expect(await run([], failWith(new OperatorError("The site is down.")))).toMatchObject({
    code: 1,
    errors: "The site is down.\n",
  });
  expect(await run([], failWith(new Error("odd")))).toMatchObject({
    code: 1,
    errors: "npm run content failed: odd\n",
  });
});

test("a wrong setting ends a program before it runs", async () => {
  const { code, output, errors } = await run([], nothing, { PORT: "eighty" });
  expect([code, output]).toEqual([1, ""]);
  expect(errors).toMatch(/^PORT /);
});

test("a wrong option is named without Node's advice", () => {
  const config = { args: ["--nmae", "x"], options: { name: { type: "string" } } } as const;
  expect(() => parseArguments("list", config)).toThrow(new UsageError("\"list\": Unknown option '--nmae'"));
  expect(parseArguments("list", { ...config, args: ["--name", "x"] }).values).toEqual({ name: "x" });
});
