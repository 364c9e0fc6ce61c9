import { readArguments, USAGE } from "./member/arguments.ts";
import { runCommand } from "./member/commands.ts";
import { runProgram } from "./program.ts";

await runProgram("member command", USAGE, (words, program) => runCommand(readArguments(words), program));
