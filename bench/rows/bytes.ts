import { getPage } from "../http.ts";
import { atMost, type Goal, type Outcome, shown } from "../outcome.ts";

const PATHS = ["/articles", "/useful-links", "/sample-code"];
const SIZES = [60, 2_000, 100_000];

export const bytes: Goal = {
  name: "bytes",
  title: "Bytes",
  method:
    "All bytes of a reader's visit: the document, compressed with brotli, which fetches nothing else but its icon.",
  async measure(bench) {
    const outcomes: Outcome[] = [];
    for (const size of SIZES) {
      const site = await bench.site(size);
      for (const path of PATHS) {
        const { body } = await getPage(site.url, path);
        outcomes.push({
          subject: `${path}, ${shown(size)} items`,
          asked: "≤ 30 kB",
          measured: `${shown(body.length / 1000, 1)} kB`,
          isReached: atMost(30_000, body.length),
        });
      }
    }
    return outcomes;
  },
};
