import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import * as colours from "../../common/colours.ts";

const AA = 4.5;
const AAA = 7;
const CATEGORIES = ["python", "sql", "aws", "tools", "other"];
const CODE = ["keyword", "string", "number", "title", "comment"];

const css = readFileSync(path.join(import.meta.dirname, "tokens.css"), "utf8");
const [light = "", dark = ""] = css.split("@media screen and (prefers-color-scheme: dark)");

describe.each([
  ["light", tokensOf(light)],
  ["dark", { ...tokensOf(light), ...tokensOf(dark) }],
])("in the %s colour scheme", (_scheme, tokens) => {
  const contrast = (ink: string, ground: string) => ratio(tokens[ink] ?? "", tokens[ground] ?? "");

  test.each([
    ["ink", "paper"],
    ["ink", "sunken"],
    ["on-marker", "marker"],
  ])("running text in the colour %s on %s has a contrast ratio of at least 7:1", (ink, ground) => {
    expect(contrast(ink, ground)).toBeGreaterThanOrEqual(AAA);
  });

  test.each<[string, string]>([
    ["muted", "paper"],
    ["muted", "sunken"],
    ["danger", "paper"],
    ...CATEGORIES.map((category) => [category, `${category}-ground`] as [string, string]),
    ...CATEGORIES.map((category) => [category, "paper"] as [string, string]),
    ...CODE.map((part) => [`code-${part}`, "sunken"] as [string, string]),
  ])("small text in the colour %s on %s has a contrast ratio of at least 4.5:1", (ink, ground) => {
    expect(contrast(ink, ground)).toBeGreaterThanOrEqual(AA);
  });
});

const root = path.join(import.meta.dirname, "../..");
const read = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: (file) => /tokens\.css$|\.test\.ts$/.test(file) }).map(
    (file) => [file, readFileSync(path.join(root, file), "utf8")] as const,
  );
const known = new Set(css.match(/#[0-9a-f]{6}/g));

test("the colours in colours.ts are those of the light scheme", () => {
  const { paper, ink, muted, marker } = tokensOf(light);
  expect({ ...colours }).toMatchObject({ PAPER: paper, INK: ink, MUTED: muted, MARKER: marker });
});

test.each(["app/**/*.{ts,tsx,css}", "public/*.svg", "server/**/*.ts"])(
  "the files %s use only colours from tokens.css",
  (pattern) => {
    const files = read(pattern);
    expect(files).not.toHaveLength(0);
    for (const [file, text] of files) {
      const colours = text.match(/#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3})\b|\b(?:rgb|hsl|oklch)\(/gi) ?? [];
      expect(
        colours.filter((colour) => !known.has(colour)),
        file,
      ).toEqual([]);
    }
  },
);

test("components, and stylesheets other than tokens.css, contain no arbitrary Tailwind values and no font sizes in px, rem or em", () => {
  for (const [file, text] of read("app/**/*.{tsx,css}")) {
    // Matches `text-[13px]`, but not conditions such as `aria-[current=page]:`.
    expect(text.match(/[\w-]+-\[[^\]\s]+\](?![:\]])/g) ?? [], file).toEqual([]);
    expect(text.match(/font(?:-size)?:[^;]*\d(?:px|rem|em).*/g) ?? [], file).toEqual([]);
  }
});

function tokensOf(part: string): Record<string, string> {
  return Object.fromEntries(
    [...part.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  );
}

/** The contrast ratio of two colours, as WCAG 2.2 defines it. */
function ratio(first: string, second: string): number {
  const [lighter = 0, darker = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
