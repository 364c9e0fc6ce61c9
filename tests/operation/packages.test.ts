import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

interface Package {
  version?: string;
  dev?: boolean;
  engines?: { node?: string };
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  hasInstallScript?: boolean;
}

const root = path.join(import.meta.dirname, "../..");

async function readJson(file: string): Promise<Record<string, Record<string, never>>> {
  return JSON.parse(await readFile(path.join(root, file), "utf8"));
}

test("the lock file contains the optional packages of every platform", async () => {
  const packages: Record<string, Package> = (await readJson("package-lock.json"))["packages"] ?? {};
  // npm omits an optional package from the lock file if the registry lacks it. On platforms that need the package,
  // `npm ci` then rejects the lock file.
  const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`${folder}/node_modules/${name}`] && !packages[`node_modules/${name}`],
    ),
  );
  expect(missing).toEqual([]);
});

test("dependency versions are exact, and every package with an install script is on the allow list", async () => {
  const { dependencies = {}, devDependencies = {}, allowScripts = {} } = await readJson("package.json");
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  );
  expect(loose).toEqual([]);
  const packages: Record<string, Package> = (await readJson("package-lock.json"))["packages"] ?? {};
  const scripted = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([folder]) => folder.replace(/^.*node_modules\//, ""));
  expect(scripted.filter((name) => !(name in allowScripts))).toEqual([]);
});

test("npm installs only packages of exact versions with a release, and each accepts the oldest documented Node", async () => {
  const { dependencies = {}, optionalDependencies = {} } = await readJson("package.json");
  const packages: Record<string, Package> = (await readJson("package-lock.json"))["packages"] ?? {};
  const installed = Object.entries(packages).filter(([folder, { dev }]) => folder !== "" && !dev);
  const nameOf = (folder: string) => folder.replace(/^.*node_modules\//, "");
  const direct = { ...dependencies, ...optionalDependencies };
  const loose = installed.filter(
    ([folder, { version }]) =>
      !(nameOf(folder) in direct) &&
      !installed.some(([, other]) => other.optionalDependencies?.[nameOf(folder)] === version),
  );
  expect(loose).toEqual([]);
  // Each range is a list of oldest versions, such as "^18 || >= 20".
  const tooNew = installed.filter(([, { engines }]) => {
    const oldest = [...(engines?.node ?? "0").matchAll(/\d+/g)].map(([major]) => Number(major));
    return Math.min(...oldest) > 20 || /[<~]/.test(engines?.node ?? "");
  });
  expect(tooNew).toEqual([]);
});

test("a packed release contains the program and its commands, but no TypeScript, tests and Dockerfile", async () => {
  const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
  });
  const [release] = Object.values<{ files: { path: string }[] }>(JSON.parse(stdout));
  const packed = release?.files.map((file) => file.path) ?? [];
  const scripts = new Set(["techfolio", "start", "program"].map((name) => `scripts/${name}.mjs`));
  for (const script of scripts) {
    const source = await readFile(path.join(root, script), "utf8");
    for (const [, name] of source.matchAll(/from "\.\/([\w.-]+)"/g)) scripts.add(`scripts/${name}`);
  }
  expect(packed).toEqual(expect.arrayContaining([...scripts]));
  for (const document of packed.filter((file) => file.endsWith(".md"))) {
    const text = await readFile(path.join(root, document), "utf8");
    const pictures = [...text.matchAll(/(?:\]\(|src=")([\w./-]+\.webp)/g)].map(([, file = ""]) => file);
    const files = pictures.map((file) => path.join(path.dirname(document), file));
    expect(packed, document).toEqual(expect.arrayContaining(files));
  }
  // Node doesn't run TypeScript in node_modules. A packed Dockerfile could not be built.
  expect(packed.filter((file) => /\.test\.|\.tsx?$|\.map$|^(tests|bench)\/|^Dockerfile$/.test(file))).toEqual(
    [],
  );
});
