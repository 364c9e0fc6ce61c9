import { encode } from "uqr";

export interface QrCode {
  /** The number of modules in a row. */
  size: number;
  /** The data of an SVG path. Its lines have the width of a module. */
  path: string;
}

/** Encodes a text so that it can be read if 15 % of the code is damaged. */
export function qrCode(text: string): QrCode {
  const { size, data } = encode(text, { ecc: "M", border: 0 });
  return { size, path: data.map(toLines).join("") };
}

/** Draws one line for each run of dark modules. */
function toLines(row: boolean[], y: number): string {
  let path = "";
  let end = 0;
  row.forEach((isDark, x) => {
    if (!isDark || row[x - 1]) return;
    const next = row.indexOf(false, x);
    const length = (next < 0 ? row.length : next) - x;
    path += path === "" ? `M${x} ${y}h${length}` : `m${x - end} 0h${length}`;
    end = x + length;
  });
  return path;
}
