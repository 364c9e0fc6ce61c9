// Writes the server and the built site to a folder as JavaScript, with the code of the packages that they import. The
// modules that a process or a thread starts with are at their own paths, everything that they share is in `chunks`.
import { cpSync, globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./ensure.mjs";

/** `npm start`, the commands, the threads and the server load these modules by path. */
const ENTRIES = ["server/main.ts", "server/cli/*.ts", "server/**/*-worker.ts", "build/server/index.js"];
/** npm leaves out folders with this name. */
const MODULES = "node_modules/";
const LICENSE = /^(licen[cs]e|notice|copying)/i;
// Only development uses Vite.
const NEVER_PACKED = ["vite"];
/** Leaves out the modules of `pg` that need the package `pg-native`. They would be loaded early, but nothing uses them. */
const WITHOUT_NATIVE = {
  name: "without-native",
  enforce: "pre",
  resolveId: (name, importer) =>
    name === "./native" && /node_modules\/pg\/lib\//.test(importer)
      ? { id: "pg-native", external: true }
      : null,
};

/**
 * Returns the folders of the packages inside, such as `node_modules/hono`. Their licenses are in `licenses`. Packages in
 * `installed` aren't written: npm installs them with the release.
 */
export async function bundle(folder, installed) {
  const entries = globSync(ENTRIES, { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
  const external = [...installed, ...NEVER_PACKED];
  // Vite is installed only now.
  const { build } = await import("vite");
  const { output } = await build({
    root,
    configFile: false,
    logLevel: "error",
    plugins: [WITHOUT_NATIVE],
    // The folder of packages may be a link to another place.
    resolve: { preserveSymlinks: true },
    // The names in a JSON file would be exported without being defined.
    json: { namedExports: false },
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: "es2024",
      minify: false,
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: Object.fromEntries(
          entries.map((file) => [file.replace(/\.[jt]s$/, ""), path.join(root, file)]),
        ),
        external: (name) => external.some((each) => name === each || name.startsWith(`${each}/`)),
        output: {
          format: "esm",
          // A hash would differ between two builds, and a stack trace should name the same files.
          entryFileNames: "[name].js",
          chunkFileNames: "chunks/[name].js",
        },
      },
    },
  });
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
  const packages = [...new Set(modules.flatMap(packageOf))].sort();
  for (const name of packages) copyLicense(name, path.join(folder, name.replaceAll(MODULES, "licenses/")));
  return packages;
}

/** The folder of a module's package, such as `node_modules/a/node_modules/@b/c`. */
function packageOf(module) {
  const file = path.relative(root, module);
  const [name] = /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
  return name === undefined ? [] : [name];
}

function copyLicense(name, target) {
  const source = path.join(root, name);
  for (const file of readdirSync(source).filter((each) => LICENSE.test(each))) {
    cpSync(path.join(source, file), path.join(target, file), { recursive: true });
  }
}

/** The parsed content of a JSON file in the project's folder. */
export function readJson(file) {
  return JSON.parse(readFileSync(path.join(root, file), "utf8"));
}
