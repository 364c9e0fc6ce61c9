import { COMMANDS, USAGE } from "./member/commands.ts";
import { runProgram } from "./program.ts";
import { runCommand } from "./run-command.ts";

await runProgram("member", USAGE, (args, program) => runCommand(COMMANDS, args, program));
