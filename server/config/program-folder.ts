import { findPackageJSON } from "node:module";
import path from "node:path";

const extension = path.extname(import.meta.filename);

/** A release contains the server as JavaScript. */
export const IS_RELEASE = extension === ".js";

/** The folder of the clone, or `dist` of a release. A release's modules are not where their sources were. */
const ROOT = path.dirname(findPackageJSON("..", import.meta.url) ?? "");

/** The path of a file of the program, such as `supabase/seed.sql`. */
export const programFile = (file: string): string => path.join(ROOT, file);

/** The path of a module that a thread or a process starts with, such as `server/rendering/text-worker`. */
export const programModule = (name: string): string => programFile(`${name}${extension}`);
