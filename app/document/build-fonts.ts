import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import subsetFont from "subset-font";
import type { Plugin } from "vite";

const VIRTUAL_ID = "virtual:fonts";
const RESOLVED_ID = `\0${VIRTUAL_ID}`;
const FIRST_VISIBLE_CHARACTER = 0x20;

interface Font {
  family: string;
  weight: number;
  /** The package that holds the files, named `{file}-{subset}-{axis}-normal.woff2`. */
  package: string;
  file: string;
  axis: string;
  subsets: string[];
  /** The one point of each axis that the site uses. */
  axes: Record<string, number>;
  features: string[];
}

const FONTS: Font[] = [
  {
    family: "Bricolage Grotesque",
    weight: 700,
    package: "@fontsource-variable/bricolage-grotesque",
    file: "bricolage-grotesque",
    axis: "opsz",
    subsets: ["latin", "latin-ext", "vietnamese"],
    axes: { wght: 700, opsz: 28 },
    features: ["kern", "mark", "mkmk", "ccmp", "locl"],
  },
  {
    family: "JetBrains Mono",
    weight: 400,
    package: "@fontsource-variable/jetbrains-mono",
    file: "jetbrains-mono",
    axis: "wght",
    subsets: ["latin", "latin-ext", "vietnamese", "greek", "cyrillic", "cyrillic-ext"],
    axes: { wght: 400 },
    // Without ligatures: `!=` in a code sample is two characters.
    features: ["mark", "mkmk", "ccmp", "locl"],
  },
];

interface FontFile {
  fileName: string;
  bytes: Buffer;
  css: string;
}

/** Subsets the fonts. File names carry a hash of the contents, so that the builds for server and browser agree. */
export function buildFonts(): Plugin {
  let files: Promise<FontFile[]> | undefined;
  const made = () => {
    files ??= Promise.all(FONTS.flatMap((font) => font.subsets.map((subset) => makeFile(font, subset))));
    return files;
  };
  return {
    name: "build-fonts",
    resolveId: (id) => (id === VIRTUAL_ID ? RESOLVED_ID : undefined),
    async load(id) {
      if (id !== RESOLVED_ID) return undefined;
      const css = (await made()).map((file) => file.css).join("");
      return `export const css = ${JSON.stringify(css)};`;
    },
    async generateBundle() {
      if (this.environment.name !== "client") return;
      for (const { fileName, bytes } of await made())
        this.emitFile({ type: "asset", fileName, source: bytes });
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const file = (await made()).find(({ fileName }) => request.url === `/${fileName}`);
        if (!file) return next();
        response.setHeader("Content-Type", "font/woff2");
        response.end(file.bytes);
      });
    },
  };
}

async function makeFile(font: Font, subset: string): Promise<FontFile> {
  const folder = path.dirname(createRequire(import.meta.url).resolve(`${font.package}/package.json`));
  const ranges: Record<string, string> = JSON.parse(
    await readFile(path.join(folder, "unicode.json"), "utf8"),
  );
  const range = ranges[subset];
  if (range === undefined) throw new Error(`${font.package} has no subset ${subset}`);
  const name = `${font.file}-${subset}-${font.axis}-normal.woff2`;
  const bytes = await subsetFont(await readFile(path.join(folder, "files", name)), charactersOf(range), {
    targetFormat: "woff2",
    variationAxes: font.axes,
    keepFeatures: font.features,
    noHinting: true,
  });
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 8);
  const fileName = `assets/${font.file}-${subset}-${hash}.woff2`;
  const css =
    `@font-face{font-family:"${font.family}";font-weight:${font.weight};font-display:swap;` +
    `src:url(/${fileName})format("woff2");unicode-range:${range}}`;
  return { fileName, bytes, css };
}

function charactersOf(range: string): string {
  const codes = range.split(",").flatMap((part) => {
    const [first = 0, last = first] = part
      .slice("U+".length)
      .split("-")
      .map((code) => Number.parseInt(code, 16));
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  return codes
    .filter((code) => code >= FIRST_VISIBLE_CHARACTER)
    .map((code) => String.fromCodePoint(code))
    .join("");
}
