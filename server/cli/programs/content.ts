import { COMMANDS, USAGE } from "../content/commands.ts";
import type { ProgramDefinition } from "../program.ts";
import { runCommand } from "../run-command.ts";

export const content: ProgramDefinition = {
  name: "content",
  usage: USAGE,
  run: (args, program) => runCommand(COMMANDS, args, program),
};
