import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Resvg } from "@resvg/resvg-js";
import type { ReactNode } from "react";
import satori, { type Font } from "satori";
import { CARD_HEIGHT, CARD_WIDTH, type CardText, layOut } from "./layout.ts";

const require = createRequire(import.meta.url);

/**
 * The site's font has only Latin letters; Noto Sans adds Greek and Cyrillic. Each subset is a separate font for Satori.
 */
const FACES: Record<string, string[]> = {
  "bricolage-grotesque": ["latin", "latin-ext", "vietnamese"],
  "noto-sans": ["latin", "latin-ext", "vietnamese", "greek", "greek-ext", "cyrillic", "cyrillic-ext"],
};

const fonts: Font[] = Object.entries(FACES).flatMap(([face, subsets]) =>
  subsets.map((subset) => ({
    name: `${face}-${subset}`,
    weight: 700 as const,
    style: "normal" as const,
    data: readFileSync(require.resolve(`@fontsource/${face}/files/${face}-${subset}-700-normal.woff`)),
  })),
);
const fontFamily = fonts.map(({ name }) => name).join(", ");

/** Characters that are left out of a card: emoji with their joiners and modifiers, and invisible characters. */
const UNDRAWABLE =
  /(?![©®™])[\p{Extended_Pictographic}\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}\u{20E3}\u{FE00}-\u{FE0F}\p{C}]/gu;

const MAX_CHARACTERS = 300;

function drawable(text: string): string {
  const beginning = text.slice(0, MAX_CHARACTERS);
  return beginning.replace(/\s+/g, " ").replace(UNDRAWABLE, "").replace(/ +/g, " ").trim();
}

/** Returns a PNG, or null if the title is empty or our fonts lack a character, which would be drawn as a box. */
export async function drawCard(card: CardText): Promise<Uint8Array | null> {
  const text: CardText = {
    kicker: drawable(card.kicker),
    title: drawable(card.title),
    lines: card.lines.map(drawable).filter(Boolean),
    siteTitle: drawable(card.siteTitle),
  };
  if (!text.title) return null;
  let isMissing = false;
  const svg = await satori(layOut(text, fontFamily) as ReactNode, {
    width: CARD_WIDTH,
    height: CARD_HEIGHT,
    fonts,
    loadAdditionalAsset: async () => {
      isMissing = true;
      return [];
    },
  });
  return isMissing ? null : new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
}
