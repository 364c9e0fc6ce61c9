import { COMMANDS, USAGE } from "./content/commands.ts";
import { runProgram } from "./program.ts";
import { runCommand } from "./run-command.ts";

await runProgram("content", USAGE, (args, program) => runCommand(COMMANDS, args, program));
