import { runProgram } from "./program.mjs";

runProgram("server/cli/restore.ts");
