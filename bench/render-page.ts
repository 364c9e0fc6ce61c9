// Renders a page over and over, its reads answered from memory, and reports the processor time of one rendering.
import { createDataClient } from "../app/data/client.ts";
import type { Keys } from "../server/config/keys.ts";
import { readSettings } from "../server/config/settings.ts";
import { createLog } from "../server/http/log.ts";
import { loadApplication } from "../server/pages/application.ts";
import { createPages } from "../server/pages/pages.ts";
import { createRenderer } from "../server/rendering/renderer.ts";

export interface RenderTask {
  url: string;
  keys: Keys;
  path: string;
}

const WARM_UP = 300;
const RENDERINGS = 1000;
const SITE_TITLE = "Techfolio.pro";

process.once("message", async ({ url, keys, path }: RenderTask) => {
  const settings = readSettings({});
  const log = createLog(() => undefined);
  const reads = new Map<string, string>();
  const { loadBuild } = await loadApplication();
  const backend = { url: "", key: keys.anonKey };
  const pages = createPages({
    settings,
    loadBuild,
    site: (title) => ({ title, url: settings.siteUrl, backend, footerLinks: [] }),
    titleOf: () => SITE_TITLE,
    data: createDataClient({ url, key: keys.anonKey }, async (input, init) => {
      const read = reads.get(String(input)) ?? (await (await fetch(input, init)).text());
      reads.set(String(input), read);
      return new Response(read, { headers: { "Content-Type": "application/json" } });
    }),
    render: createRenderer(log).render,
    log,
    isProduction: true,
  });
  async function render(times: number): Promise<number> {
    const start = process.cpuUsage();
    for (let time = 0; time < times; time++) {
      const made = await pages.document({ address: path, siteTitle: SITE_TITLE, requestId: "bench" });
      if (made.status !== 200) throw new Error(`The page answers ${made.status}`);
    }
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000 / times;
  }
  await render(WARM_UP);
  process.send?.(await render(RENDERINGS));
});
