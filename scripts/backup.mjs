import { runProgram } from "./program.mjs";

runProgram("server/backup.ts");
