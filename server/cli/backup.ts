import { runProgram } from "./program.ts";
import { backup } from "./programs/backup.ts";

await runProgram(backup);
