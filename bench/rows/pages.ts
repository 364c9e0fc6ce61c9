import { startBareServer, startChild } from "../child.ts";
import { type Figure, figure, inTurns, ratio, shown } from "../figures.ts";
import { burst } from "../load.ts";
import type { RenderTask } from "../render-page.ts";
import type { Row } from "../row.ts";
import { getPage } from "../site.ts";
import { ownCpu } from "../usage.ts";

const PATHS = ["/", "/articles", "/feed.xml"];
/** Compilers are at work in the first rounds. */
const WARM_UP = 5;
const ROUNDS = 15;
const REQUESTS = 20_000;

async function requestsPerCpuSecond(url: string, pid: number): Promise<number> {
  const before = await ownCpu(pid);
  await burst(url, REQUESTS, { headers: { "Accept-Encoding": "br" } });
  return (1000 * REQUESTS) / ((await ownCpu(pid)) - before);
}

export const pages: Row = {
  name: "pages",
  title: "Pages served",
  method: `Requests per second of the server's processor time: ${shown(REQUESTS)} over 16 connections, ${ROUNDS} times each, in turns. The bare server is node:http with the same bytes and headers. Rendered afresh: without compression, reads answered from memory.`,
  async measure(bench) {
    const { url, pid, keys } = await bench.site(2_000);
    const figures: Figure[] = [];
    for (const path of PATHS) {
      const { headers, body } = await getPage(url + path);
      for (const name of ["date", "connection", "keep-alive"]) delete headers[name];
      const bare = await startBareServer({ [path]: { headers, body } });
      const [own, others] = await inTurns(
        WARM_UP + ROUNDS,
        () => requestsPerCpuSecond(url + path, pid),
        () => requestsPerCpuSecond(bare.url + path, bare.pid),
      );
      await bare.stop();
      const goal = { atLeast: 0.6, unit: "per second", than: "a bare node:http server" };
      figures.push(ratio(`${path} from the cache`, own.slice(WARM_UP), others.slice(WARM_UP), goal));
    }
    const child = await startChild("./render-page.ts", { url, keys, path: "/" } satisfies RenderTask);
    await child.stop();
    return [
      ...figures,
      figure("/ rendered afresh", Number(child.report), { atMost: 2, unit: "ms", decimals: 2 }),
    ];
  },
};
