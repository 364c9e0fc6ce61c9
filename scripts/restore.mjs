import { runProgram } from "./program.mjs";

runProgram("server/restore.ts");
