import { readFileSync } from "node:fs";
import { programFile } from "./program-folder.ts";

/** Techfolio's version, such as 0.1.0. */
export const VERSION: string = JSON.parse(readFileSync(programFile("package.json"), "utf8")).version;
