import { runProgram } from "./program.mjs";

runProgram("server/doctor.ts");
