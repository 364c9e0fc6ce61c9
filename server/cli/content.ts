import { runProgram } from "./program.ts";
import { content } from "./programs/content.ts";

await runProgram(content);
