// Prepares `npm pack`: builds the site and writes everything that runs to the folder `dist`. Node doesn't strip types
// in `node_modules`, so the package contains the server as JavaScript.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build, ensureInstalled, fail, findNode, root, run } from "./ensure.mjs";

const dist = path.join(root, "dist");
/** The files, besides modules, that the server reads. */
const OTHER_FILES = [
  "build",
  "server/node-options.json",
  "server/postgres/base.sql",
  "server/rest/parse/grammar.peggy",
  "supabase",
];

await ensureInstalled({ development: true });
const node = findNode();
await build(node);
rmSync(dist, { recursive: true, force: true });
const { status } = run(node, "typescript", "tsc", ["--project", "tsconfig.package.json"]);
if (status !== 0) fail("The server could not be compiled; see above.");
for (const file of OTHER_FILES) {
  cpSync(path.join(root, file), path.join(dist, file), { recursive: true });
}
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
writeFileSync(path.join(dist, "package.json"), `${JSON.stringify({ type: "module", version })}\n`);
