import { runProgram } from "./program.ts";
import { doctor } from "./programs/doctor.ts";

await runProgram(doctor);
