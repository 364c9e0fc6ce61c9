import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

const FOLDER = ".fonts";

interface Font {
  family: string;
  weight: number | string;
  /** A style sheet that has one `@font-face` rule per file, with its `unicode-range`. */
  sheet: string;
  /** For each variation axis of the font, the value or range that the site uses. The built files contain only these. */
  axes: Record<string, number | { min: number; max: number }>;
  features: string[];
}

/** The characters of English text. They are in separate font files, the only ones that most pages load. */
const ENGLISH = "U+0020-007E,U+00A0,U+00A9,U+00B7,U+2013-2014,U+2018-2019,U+201C-201D,U+2026";

const FONTS: Font[] = [
  {
    family: "Bricolage Grotesque",
    weight: 700,
    sheet: "@fontsource-variable/bricolage-grotesque/opsz.css",
    axes: { wght: 700, opsz: 28 },
    features: ["kern", "mark", "mkmk", "ccmp", "locl"],
  },
  {
    family: "IBM Plex Sans",
    // One variable file is smaller than two static ones. Browsers slant the text for italics, which saves another file.
    weight: "400 700",
    sheet: "@fontsource-variable/ibm-plex-sans/wght.css",
    axes: { wght: { min: 400, max: 700 } },
    features: ["kern", "mark", "mkmk", "ccmp", "locl"],
  },
  {
    family: "JetBrains Mono",
    weight: 400,
    sheet: "@fontsource-variable/jetbrains-mono/wght.css",
    axes: { wght: 400 },
    // No ligatures: `!=` in code should look like two characters.
    features: ["mark", "mkmk", "ccmp", "locl"],
  },
];

/** Writes the subset font files and `fonts.css`, which is inlined in every document. */
export async function buildFonts(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const rules = await Promise.all(FONTS.map(buildFont));
  await replaceFile("fonts.css", rules.flat().join("\n"));
}

/** Replaces the whole file in one step, because another command may build the site from it at the same moment. */
async function replaceFile(name: string, content: string | Uint8Array): Promise<void> {
  const file = path.join(FOLDER, name);
  const next = `${file}.${process.pid}`;
  await writeFile(next, content);
  await rename(next, file);
}

async function buildFont({ family, weight, sheet, axes, features }: Font): Promise<string[]> {
  const source = fileURLToPath(import.meta.resolve(sheet));
  const english = charactersOf(ENGLISH);

  async function write(font: Buffer, characters: string[], name: string, range: string) {
    const bytes = await subsetFont(font, characters.join(""), {
      targetFormat: "woff2",
      variationAxes: axes,
      keepFeatures: features,
      noHinting: true,
    });
    await replaceFile(name, bytes);
    return (
      `@font-face{font-family:"${family}";font-weight:${weight};font-display:swap;` +
      `src:url(./${name})format("woff2");unicode-range:${range}}`
    );
  }

  const files = (await readFile(source, "utf8")).matchAll(/url\((\S+)\).*?unicode-range: (.+?);/gs);
  const rules = [...files].map(async ([, file = "", range = ""]) => {
    const font = await readFile(path.join(path.dirname(source), file));
    const name = path.basename(file);
    const characters = charactersOf(range);
    const others = characters.filter((character) => !english.includes(character));
    const rule = await write(font, others, name, range);
    if (others.length === characters.length) return [rule];
    // If several rules include a character, browsers use the last one, so the English rule must follow.
    return [rule, await write(font, english, `english-${name}`, ENGLISH)];
  });
  return (await Promise.all(rules)).flat();
}

function charactersOf(range: string): string[] {
  const codes = range.split(",").flatMap((part) => {
    const [first = 0, last = first] = part
      .slice("U+".length)
      .split("-")
      .map((code) => Number.parseInt(code, 16));
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  return codes.map((code) => String.fromCodePoint(code));
}
