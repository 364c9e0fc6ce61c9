import { readArguments, USAGE } from "./content/arguments.ts";
import { runCommand } from "./content/commands.ts";
import { runProgram } from "./program.ts";

await runProgram("content command", USAGE, (words, program) => runCommand(readArguments(words), program));
