import { type Figure, figure, shown } from "../figures.ts";
import type { Row } from "../row.ts";
import { getPage } from "../site.ts";

const SIZES = [60, 2_000, 100_000];

export const bytes: Row = {
  name: "bytes",
  title: "Bytes",
  method: "The document, compressed with brotli. A reader's visit fetches nothing else but the icon.",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const size of SIZES) {
      const { url } = await bench.site(size);
      for (const path of ["/articles", "/useful-links", "/sample-code"]) {
        const { body } = await getPage(url + path);
        const goal = { atMost: 30, unit: "kB", decimals: 1 };
        figures.push(figure(`${path}, ${shown(size)} items`, body.length / 1000, goal));
      }
    }
    return figures;
  },
};
