import { startBare } from "../bare.ts";
import { startChild } from "../child.ts";
import { getPage } from "../http.ts";
import { burst } from "../load.ts";
import { atMost, type Goal, median, type Outcome, shown } from "../outcome.ts";
import { ownCpu } from "../process-usage.ts";
import type { RenderTask } from "../render-child.ts";
import type { MeasuredSite } from "../site.ts";

const PATHS = ["/", "/articles"];
const SIZE = 2_000;
const ROUNDS = 3;
const REQUESTS = 20_000;
/** Of these the connection makes its own. */
const OWN_HEADERS = new Set(["date", "connection", "keep-alive"]);

/** Takes where to ask and whose processor time counts, returns milliseconds of it per request. */
async function cpuPerRequest(url: string, pid: number): Promise<{ cpu: number; perSecond: number }> {
  const before = await ownCpu(pid);
  const { requests, seconds } = await burst({ url, headers: { "Accept-Encoding": "br" } }, REQUESTS);
  return { cpu: ((await ownCpu(pid)) - before) / requests, perSecond: requests / seconds };
}

/** Takes a site and an encoding, returns the milliseconds of processor time of one rendering of its home page. */
async function renderAfresh(site: MeasuredSite, encoding: RenderTask["encoding"]): Promise<number> {
  const task: RenderTask = { url: site.url, keys: site.keys, path: "/", encoding };
  const child = await startChild("./render-child.ts", task);
  await child.stop();
  return Number(child.report);
}

export const pages: Goal = {
  name: "pages",
  title: "Pages served",
  method: `${shown(REQUESTS)} requests over 16 connections, ${ROUNDS} times each, in turns. A server's rate is what one second of its processor time sends, so that nothing else on the machine counts. The bare server is node:http with the same bytes and headers. Rendered afresh: the page as the server makes it, reads answered from memory; its compression, once per encoding, comes on top.`,
  async measure(bench) {
    const site = await bench.site(SIZE);
    const outcomes: Outcome[] = [];
    for (const path of PATHS) {
      const page = await getPage(site.url, path);
      const headers = Object.fromEntries(
        Object.entries(page.headers).filter(([name]) => !OWN_HEADERS.has(name)),
      );
      const bare = await startBare({ [path]: { headers, body: page.body } });
      const rounds: { own: number; bare: number; rate: number; bareRate: number }[] = [];
      for (let round = -1; round < ROUNDS; round++) {
        const own = await cpuPerRequest(site.url + path, site.pid);
        const other = await cpuPerRequest(bare.url + path, bare.pid);
        // The first round warms both up.
        if (round >= 0) {
          rounds.push({ own: own.cpu, bare: other.cpu, rate: own.perSecond, bareRate: other.perSecond });
        }
      }
      await bare.stop();
      const own = 1000 / median(rounds.map((round) => round.own));
      const other = 1000 / median(rounds.map((round) => round.bare));
      outcomes.push({
        subject: `${path} from the page cache`,
        asked: "≥ 0.8 × a bare node:http server",
        measured: `${shown(own)} / ${shown(other)} per second of processor = ${shown(own / other, 2)} (by the clock ${shown(median(rounds.map(({ rate }) => rate)))} / ${shown(median(rounds.map(({ bareRate }) => bareRate)))})`,
        isReached: own / other >= 0.8,
      });
    }
    const rendered = await renderAfresh(site, "identity");
    const compressed = await renderAfresh(site, "br");
    outcomes.push({
      subject: "/ rendered afresh",
      asked: "≤ 2 ms of processor time",
      measured: `${shown(rendered, 2)} ms, compressed with brotli ${shown(compressed, 2)} ms`,
      isReached: atMost(2, rendered),
    });
    return outcomes;
  },
};
