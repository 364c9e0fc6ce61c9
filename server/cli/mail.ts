import { runProgram } from "./program.ts";
import { mail } from "./programs/mail.ts";

await runProgram(mail);
