import { runProgram } from "./program.mjs";

runProgram("server/cli/content.ts");
