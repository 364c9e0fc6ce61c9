// Prepares `npm pack`: builds the site and writes everything that runs to the folder `dist`, and the versions to install
// with it to npm-shrinkwrap.json. Node doesn't strip types in `node_modules`, so the package contains the server as
// JavaScript. `--clean` removes npm-shrinkwrap.json, which npm would otherwise prefer to package-lock.json in this clone.
import { cpSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { billOfMaterials } from "./bill-of-materials.mjs";
import { bundle, readJson } from "./bundle.mjs";
import { build, ensureInstalled, findNode, root } from "./ensure.mjs";

const dist = path.join(root, "dist");
const shrinkwrap = path.join(root, "npm-shrinkwrap.json");
/** The files, besides modules, that the server or an operator's Supabase CLI reads. */
const OTHER_FILES = [
  "build/client",
  "server/node-options.json",
  "server/postgres/base.sql",
  "supabase/config.toml",
  "supabase/migrations",
  "supabase/seed.sql",
];

rmSync(shrinkwrap, { force: true });
if (!process.argv.includes("--clean")) await prepare();

async function prepare() {
  await ensureInstalled();
  await build(findNode());
  rmSync(dist, { recursive: true, force: true });
  const { devDependencies, scripts, allowScripts, ...manifest } = readJson("package.json");
  const { packages, ...lock } = readJson("package-lock.json");
  const installed = { ...manifest.dependencies, ...manifest.optionalDependencies };
  const bundled = await bundle(dist, Object.keys(installed));
  for (const file of OTHER_FILES) {
    cpSync(path.join(root, file), path.join(dist, file), { recursive: true });
  }
  writeJson("package.json", { type: "module", version: manifest.version });

  const entries = Object.entries(packages).filter(([folder]) => folder !== "");
  const toInstall = Object.fromEntries(entries.filter(([, { dev, peer }]) => !dev && !peer));
  const inside = Object.fromEntries(bundled.map((folder) => [folder, packages[folder]]));
  writeJson("bom.cdx.json", billOfMaterials(manifest, { ...toInstall, ...inside }));
  const content = { ...lock, packages: { "": manifest, ...toInstall } };
  writeFileSync(shrinkwrap, `${JSON.stringify(content, null, 2)}\n`);
}

function writeJson(file, content) {
  writeFileSync(path.join(dist, file), `${JSON.stringify(content)}\n`);
}
