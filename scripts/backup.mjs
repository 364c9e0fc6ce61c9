import { runProgram } from "./program.mjs";

runProgram("server/cli/backup.ts");
