import { runProgram } from "./program.ts";
import { restore } from "./programs/restore.ts";

await runProgram(restore);
