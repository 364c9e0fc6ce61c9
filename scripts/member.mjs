import { runProgram } from "./program.mjs";

runProgram("server/member.ts");
