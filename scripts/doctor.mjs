import { runProgram } from "./program.mjs";

runProgram("server/cli/doctor.ts");
