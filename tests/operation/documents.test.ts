import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const read = (file: string) => readFile(path.join(root, file), "utf8");

async function filesIn(folder: string): Promise<string[]> {
  const files = await readdir(path.join(root, folder), { recursive: true });
  return files.map((file) => path.join(folder, file));
}

const records = (await readdir(path.join(root, "docs/decisions"))).filter((file) => /^\d{3}-/.test(file));
const documents = [
  ...(await readdir(root)).filter((file) => file.endsWith(".md")),
  ...(await filesIn("docs")).filter((file) => file.endsWith(".md")),
];

/** Returns the URL fragments that GitHub generates for a document's headings. */
function fragmentsOf(markdown: string): string[] {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("the index of decision records lists every record with its title", async () => {
  const index = await read("docs/decisions/README.md");
  const titles = await Promise.all(
    records.map(async (file) => {
      const [, title] = /^# (.+)$/m.exec(await read(`docs/decisions/${file}`)) ?? [];
      return `[${title}](${file})`;
    }),
  );
  expect(index.match(/\[\d{3} [^\]]+\]\([^)]+\)/g)).toEqual(titles);
});

test("dependencies.md gives the purpose of every package in package.json, and of no other", async () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(await read("package.json"));
  const packages = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const tables = [...(await read("docs/dependencies.md")).matchAll(/^\| (`.+?) \|/gm)];
  const documented = tables.flatMap(([, names = ""]) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
  const isFor = (name: string) => (each: string) =>
    name.endsWith("/*") ? each.startsWith(name.slice(0, -1)) : each === name;
  expect(packages.filter((each) => !documented.some((name) => isFor(name)(each)))).toEqual([]);
  expect(documented.filter((name) => !packages.some(isFor(name)))).toEqual([]);
});

test("the README's tour names every folder of app and server", async () => {
  const readme = await read("README.md");
  const folders = await Promise.all(
    ["app", "server"].map(async (parent) => {
      const entries = await readdir(path.join(root, parent), { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${parent}/${name}/`);
    }),
  );
  expect(folders.flat().filter((folder) => !readme.includes(`\`${folder}\``))).toEqual([]);
});

test("every file and folder that a document names exists", async () => {
  const missing: string[] = [];
  for (const file of documents) {
    const text = await read(file);
    const named = text.matchAll(
      /`((?:app|bench|common|deploy|docs|scripts|server|supabase|tests)\/[\w./@-]*)`/g,
    );
    for (const [, target = ""] of named) {
      if (!existsSync(path.join(root, target))) missing.push(`${file}: ${target}`);
    }
  }
  expect(missing).toEqual([]);
});

test("every reference to a decision record names one that exists", async () => {
  const folders = ["app", "server", "tests", "scripts", "bench", "supabase", "deploy"];
  const sources = (await Promise.all(folders.map(filesIn))).flat();
  const texts = sources.filter((file) => /\.(ts|tsx|mjs|css|sql|toml|peggy)$/.test(file));
  const numbers = new Set(records.map((file) => file.slice(0, 3)));
  const missing: string[] = [];
  for (const file of [...texts, ...documents]) {
    const text = await read(file);
    const references = text.matchAll(/\bdecisions?[ /](\d{3})\b|\[(\d{3})\]\(/gi);
    const inTable = file === "docs/dependencies.md" ? text.matchAll(/\((\d{3})\)/g) : [];
    for (const [reference, first, second] of [...references, ...inTable]) {
      if (!numbers.has(first ?? second ?? "")) missing.push(`${file}: ${reference}`);
    }
  }
  expect(missing).toEqual([]);
});

test("every link from a Markdown document to a file or heading in this repository works", async () => {
  const broken: string[] = [];
  for (const file of documents) {
    const prose = (await read(file)).replaceAll(/`[^`]*`/g, "");
    for (const [link, target = "", fragment] of prose.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      if (/^\w+:/.test(target)) continue;
      const linked = target === "" ? file : path.join(path.dirname(file), target);
      const isBroken =
        !existsSync(path.join(root, linked)) ||
        (fragment !== undefined && !fragmentsOf(await read(linked)).includes(fragment));
      if (isBroken) broken.push(`${file}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

test("every promise in SECURITY.md names a test", async () => {
  const [, promised = ""] = /^## What is promised$(.*?)^## /ms.exec(await read("SECURITY.md")) ?? [];
  const promises = promised.split("\n").filter((line) => line.startsWith("**"));
  expect(promises.length).toBeGreaterThan(10);
  expect(promises.filter((promise) => !/ Tests?: `[^`]+`/.test(promise))).toEqual([]);
});
