import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { EXCEPTIONS, LAYERS } from "../../layers.ts";

const IMPORT = /(?:from|import\(?)\s*"(\.\.?\/[^"]+)"/g;

const files = ["app", "common", "server"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => path.posix.join(folder, file.split(path.sep).join("/"))),
);

const isIn = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`);

/** The entry of the table that a file belongs to. */
function layerOf(file: string): string {
  const [top = "", second = "", ...rest] = file.split("/");
  if (top === "common") return top;
  return rest.length > 0 ? `${top}/${second}` : `${top}/*`;
}

function importsOf(file: string): string[] {
  return Array.from(readFileSync(file, "utf8").matchAll(IMPORT), ([, specifier = ""]) =>
    path.posix.join(path.posix.dirname(file), specifier),
  );
}

function mayImport(file: string, target: string): boolean {
  const layer = layerOf(file);
  const own = layer.endsWith("/*") ? layer.slice(0, -2) : layer;
  if (isIn(target, own) || EXCEPTIONS[file] === target) return true;
  if (!/^(app|common|server)\//.test(target)) return true;
  return ["common", ...(LAYERS[layer] ?? [])].some((folder) => isIn(target, folder));
}

test("every folder of app, common and server is in the table of layers, and every entry has files", () => {
  const found = new Set(files.map(layerOf));
  expect([...found].sort()).toEqual(Object.keys(LAYERS).sort());
});

test("no module imports a layer that the table doesn't list for its folder", () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => !mayImport(file, target))
      .map((target) => `${file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("common/ imports neither React nor Node's modules", () => {
  const wrong = files
    .filter((file) => isIn(file, "common"))
    .filter((file) => /from "(node:|react(-dom|-router)?["/])/.test(readFileSync(file, "utf8")));
  expect(wrong).toEqual([]);
});
