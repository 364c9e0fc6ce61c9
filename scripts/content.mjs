import { runProgram } from "./program.mjs";

await runProgram("server/cli/content.ts");
