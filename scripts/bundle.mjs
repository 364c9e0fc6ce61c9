// Writes the server and the built site to a folder as JavaScript, each module in its own file and at its own path. The
// folder also contains the modules of other packages that they import, in `packages`.
import { cpSync, globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./ensure.mjs";

const MODULES = "node_modules/";
const SITE = "build/server/index.js";
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
 * Returns the folders of the packages inside, such as `node_modules/hono`. Packages in `installed` aren't
 * written: npm installs them with the release.
 */
export async function bundle(folder, installed) {
  const isSource = (file) => !file.endsWith(".test.ts");
  const sources = globSync("{server,common}/**/*.ts", { cwd: root }).filter(isSource);
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
          [...sources, SITE].map((file) => [file.replace(/\.[jt]s$/, ""), path.join(root, file)]),
        ),
        external: (name) => external.some((each) => name === each || name.startsWith(`${each}/`)),
        output: {
          format: "esm",
          // Modules read files next to themselves.
          preserveModules: true,
          preserveModulesRoot: root,
          // npm leaves out folders with the name `node_modules`.
          entryFileNames: ({ name }) => `${renamed(name)}.js`,
        },
      },
    },
  });
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
  const packages = [...new Set(modules.flatMap(packageOf))].sort();
  for (const name of packages) copyLicense(name, path.join(folder, renamed(name)));
  return packages;
}

const renamed = (file) => file.replaceAll(MODULES, "packages/");

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
