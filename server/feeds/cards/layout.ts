import type { SatoriNode } from "satori";
import { INK, MARKER, MUTED, PAPER } from "../../../common/colours.ts";

/** Members write most of these fields, so they can contain any text. */
export interface CardText {
  kicker: string;
  title: string;
  lines: string[];
  siteTitle: string;
}

export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;

const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M5 3h16l7 7v19H5z" fill="${INK}"/><path d="M21 3l7 7h-7z" fill="${MARKER}"/><path d="M10 14l5 4.5-5 4.5" fill="none" stroke="${PAPER}" stroke-width="2.6"/><path d="M16.5 23.5h6" stroke="${MARKER}" stroke-width="2.6"/></svg>`;
const MARK_ADDRESS = `data:image/svg+xml;base64,${Buffer.from(MARK).toString("base64")}`;

const TITLE_SIZES = [
  { characters: 24, size: 104 },
  { characters: 48, size: 84 },
  { characters: 80, size: 68 },
];

type Style = Record<string, string | number>;

const node = (type: string, style: Style, children?: unknown, rest: object = {}): SatoriNode =>
  ({ type, props: { style, children, ...rest } }) as unknown as SatoriNode;

const line = (style: Style, text: string) =>
  node("div", { display: "block", overflow: "hidden", ...style }, text);

export function layOut({ kicker, title, lines, siteTitle }: CardText, fontFamily: string): SatoriNode {
  const length = Array.from(title).length;
  const fontSize = TITLE_SIZES.find(({ characters }) => length <= characters)?.size ?? 56;
  const column: Style = { display: "flex", flexDirection: "column" };
  return node(
    "div",
    {
      ...column,
      width: "100%",
      height: "100%",
      boxSizing: "border-box",
      padding: "56px 72px",
      justifyContent: "space-between",
      backgroundColor: PAPER,
      color: INK,
      fontFamily,
      fontWeight: 700,
    },
    [
      node("div", column, [
        node("div", { width: 160, height: 14, backgroundColor: MARKER, marginBottom: 36 }),
        line({ fontSize: 30, color: MUTED, marginBottom: 12, lineClamp: 1 }, kicker),
        line(
          { fontSize, lineHeight: 1.12, letterSpacing: -1.5, lineClamp: 3, wordBreak: "break-word" },
          title,
        ),
        ...lines.map((text) =>
          line({ fontSize: 34, lineHeight: 1.35, marginTop: 16, color: MUTED, lineClamp: 2 }, text),
        ),
      ]),
      node("div", { display: "flex", alignItems: "center", borderTop: `3px solid ${INK}`, paddingTop: 24 }, [
        node("img", {}, undefined, { src: MARK_ADDRESS, width: 52, height: 52 }),
        line({ fontSize: 36, marginLeft: 16 }, siteTitle),
      ]),
    ],
  );
}
