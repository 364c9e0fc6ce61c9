import { type Benchmark, type Figure, figure, formatNumber } from "../figures.ts";
import { getPage, siteOf } from "../site.ts";

const SIZES = [60, 2_000, 100_000];

export const bytes: Benchmark = {
  title: "Bytes",
  method: "The size of the HTML document, which includes the style sheet, compressed with Brotli.",
  async measure() {
    const figures: Figure[] = [];
    for (const size of SIZES) {
      const { url } = await siteOf(size);
      for (const path of ["/articles", "/useful-links", "/sample-code"]) {
        const { body } = await getPage(url + path);
        const goal = { atMost: 35, unit: "kB", decimals: 1 };
        figures.push(figure(`${path}, ${formatNumber(size)} items`, body.length / 1000, goal));
      }
    }
    return figures;
  },
};
