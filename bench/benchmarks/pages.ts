import { ownCpu } from "../../tests/support/cpu.ts";
import { type Benchmark, type Figure, figure, formatNumber, inTurns, ratio } from "../figures.ts";
import { burst } from "../load.ts";
import { measureRendering } from "../render-page.ts";
import { getPage, siteOf, startBareServer } from "../site.ts";

const PATHS = ["/", "/articles", "/feed.xml"];
/** The first rounds don't count, because V8 compiles the code during them. */
const WARM_UP = 5;
const ROUNDS = 9;
const REQUESTS = 5_000;

async function requestsPerCpuSecond({ url, pid }: { url: string; pid: number }, path: string) {
  const before = await ownCpu(pid);
  await burst(url + path, REQUESTS);
  return (1000 * REQUESTS) / ((await ownCpu(pid)) - before);
}

export const pages: Benchmark = {
  title: "Pages served",
  method: `Requests per second of the server's CPU time: ${formatNumber(REQUESTS)} requests over 8 connections, ${ROUNDS} times for the site and for a bare server, alternately. The bare server uses node:http and sends the same bytes and headers. *rendered afresh* is the CPU time to render the page, without compression and with reads answered from memory.`,
  async measure() {
    const site = await siteOf(2_000);
    const figures: Figure[] = [];
    for (const path of PATHS) {
      const { headers, body } = await getPage(site.url + path);
      for (const name of ["date", "connection", "keep-alive"]) delete headers[name];
      const bare = await startBareServer(headers, body);
      const measureSite = () => requestsPerCpuSecond(site, path);
      const measureBare = () => requestsPerCpuSecond(bare, path);
      await inTurns(WARM_UP, measureSite, measureBare);
      const goal = { atLeast: 0.5, unit: "per second", than: "a bare node:http server" };
      figures.push(ratio(`${path} from the cache`, await inTurns(ROUNDS, measureSite, measureBare), goal));
      await bare.stop();
    }
    const rendering = { atMost: 4, unit: "ms", decimals: 2 };
    return [...figures, figure("/ rendered afresh", await measureRendering(site, "/"), rendering)];
  },
};
