import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "../..");

const BUNDLED = path.join(ROOT, "node_modules/node/bin/node");
/** The Node that runs the server (see scripts/ensure.mjs). Another version may run the tests. */
export const NODE = existsSync(BUNDLED) ? BUNDLED : process.execPath;

/** The environment of child processes, without a developer's settings. The compile cache shortens their startup. */
export const ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: process.env["PATH"],
  TMPDIR: tmpdir(),
  NODE_COMPILE_CACHE: path.join(ROOT, "node_modules/.cache/node"),
};
