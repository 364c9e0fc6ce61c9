import { runProgram } from "./program.ts";
import { member } from "./programs/member.ts";

await runProgram(member);
