import { execute, type ProgramDefinition } from "../../server/cli/program.ts";
import { createLog } from "../../server/http/log.ts";
import type { Result } from "./command.ts";

/**
 * Runs one of the operator's programs in the test's process. A child process takes half a second of CPU time longer,
 * most of it to load modules, so only tests of the process itself use `runServerProgram`.
 */
export async function runHere(
  program: ProgramDefinition,
  args: string[],
  settings: Record<string, string>,
): Promise<Result> {
  let stdout = "";
  let stderr = "";
  const writeError = (text: string) => {
    stderr += text;
  };
  const code = await execute(program, args, {
    readEnvironment: () => settings,
    writeOutput(text) {
      stdout += text;
    },
    writeError,
    log: createLog(writeError),
  });
  return { code, stdout, stderr };
}
