import { runProgram } from "./program.mjs";

runProgram("server/cli/member.ts");
