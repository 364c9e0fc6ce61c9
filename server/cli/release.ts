import { runProgram } from "./program.ts";
import { release } from "./programs/release.ts";

await runProgram(release);
