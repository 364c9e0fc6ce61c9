import { startBare } from "../bare.ts";
import { startChild } from "../child.ts";
import { getPage } from "../http.ts";
import { burst } from "../load.ts";
import { atMost, type Goal, median, type Outcome, shown } from "../outcome.ts";
import { ownCpu } from "../process-usage.ts";
import type { RenderTask } from "../render-child.ts";
import type { MeasuredSite } from "../site.ts";

const PATHS = ["/", "/articles", "/feed.xml"];
const SIZE = 2_000;
/** The first rounds warm both servers up: compilers are at work, and memory that has rested comes back. */
const WARM_UP = 5;
const ROUNDS = 15;
const REQUESTS = 20_000;
/** One process may be luckier with what it compiles than another. */
const PROCESSES = 3;
/** Of these the connection makes its own. */
const OWN_HEADERS = new Set(["date", "connection", "keep-alive"]);

/** What a server sends in a second of its processor, and of the clock. */
interface Sent {
  perCpuSecond: number;
  perSecond: number;
}

async function send(url: string, pid: number): Promise<Sent> {
  const before = await ownCpu(pid);
  const { requests, seconds } = await burst({ url, headers: { "Accept-Encoding": "br" } }, REQUESTS);
  return { perCpuSecond: (1000 * requests) / ((await ownCpu(pid)) - before), perSecond: requests / seconds };
}

/** Milliseconds of processor time of one rendering of the home page. */
async function renderAfresh(site: MeasuredSite, encoding: RenderTask["encoding"]): Promise<number> {
  const task: RenderTask = { url: site.url, keys: site.keys, path: "/", encoding };
  const times: number[] = [];
  for (let process = 0; process < PROCESSES; process++) {
    const child = await startChild("./render-child.ts", task);
    await child.stop();
    times.push(Number(child.report));
  }
  return median(times);
}

export const pages: Goal = {
  name: "pages",
  title: "Pages served",
  method: `${shown(REQUESTS)} requests over 16 connections, ${ROUNDS} times each, in turns, and the middle of their ratios. A server's rate is what one second of its processor time sends, so that nothing else on the machine counts. The bare server is node:http with the same bytes and headers. Rendered afresh: the page as the server makes it, reads answered from memory; its compression, once per encoding, comes on top; the middle of ${PROCESSES} processes.`,
  async measure(bench) {
    const site = await bench.site(SIZE);
    const outcomes: Outcome[] = [];
    for (const path of PATHS) {
      const page = await getPage(site.url, path);
      const headers = Object.fromEntries(
        Object.entries(page.headers).filter(([name]) => !OWN_HEADERS.has(name)),
      );
      const bare = await startBare({ [path]: { headers, body: page.body } });
      const rounds: { own: Sent; bare: Sent }[] = [];
      for (let round = 0; round < WARM_UP + ROUNDS; round++) {
        const sent = {
          own: await send(site.url + path, site.pid),
          bare: await send(bare.url + path, bare.pid),
        };
        if (round >= WARM_UP) rounds.push(sent);
      }
      await bare.stop();
      const middle = (of: (round: { own: Sent; bare: Sent }) => number) => median(rounds.map(of));
      // Of each round by itself: what slows the machine down for a second slows down both.
      const ratio = middle(({ own, bare }) => own.perCpuSecond / bare.perCpuSecond);
      outcomes.push({
        subject: `${path} from the cache`,
        asked: "≥ 0.6 × a bare node:http server",
        measured: `${shown(middle(({ own }) => own.perCpuSecond))} / ${shown(middle(({ bare }) => bare.perCpuSecond))} per second of processor = ${shown(ratio, 2)} (by the clock ${shown(middle(({ own }) => own.perSecond))} / ${shown(middle(({ bare }) => bare.perSecond))})`,
        isReached: ratio >= 0.6,
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
