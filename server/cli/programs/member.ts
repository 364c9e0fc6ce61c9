import { COMMANDS, USAGE } from "../member/commands.ts";
import type { ProgramDefinition } from "../program.ts";
import { runCommand } from "../run-command.ts";

export const member: ProgramDefinition = {
  name: "member",
  usage: USAGE,
  run: (args, program) => runCommand(COMMANDS, args, program),
};
