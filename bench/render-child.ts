// Renders one page over and over, its reads answered from memory, and reports the processor time of one rendering.
import { createDataClient } from "../app/data/client.ts";
import type { Keys } from "../server/config/keys.ts";
import { readSettings } from "../server/config/settings.ts";
import { createLog } from "../server/http/log.ts";
import { loadApplication } from "../server/pages/application.ts";
import { createPages } from "../server/pages/pages.ts";
import { CachedAnswer } from "../server/pages/response-cache.ts";
import { createRenderer } from "../server/rendering/renderer.ts";

/** Which site's page is rendered. */
export interface RenderTask {
  url: string;
  keys: Keys;
  path: string;
  /** What the page is compressed with, if it is. */
  encoding: "br" | "identity";
}

const WARM_UP = 300;
const RENDERINGS = 1000;
const SITE_TITLE = "Techfolio.pro";

process.once("message", async ({ url, keys, path, encoding }: RenderTask) => {
  const settings = readSettings({});
  const log = createLog(() => undefined);
  const renderer = createRenderer(log);
  const remembered = new Map<string, string>();
  const application = await loadApplication();
  const pages = createPages({
    settings,
    loadBuild: application.loadBuild,
    site: (title) => ({
      title,
      url: settings.siteUrl,
      backend: { url: "", key: keys.anonKey },
      footerLinks: [],
    }),
    titleOf: () => SITE_TITLE,
    data: createDataClient({ url, key: keys.anonKey }, async (input, init) => {
      const address = String(input);
      const known = remembered.get(address) ?? (await (await fetch(input, init)).text());
      remembered.set(address, known);
      return new Response(known, { headers: { "Content-Type": "application/json" } });
    }),
    render: renderer.render,
    log,
    isProduction: true,
  });

  async function render(): Promise<void> {
    const made = await pages.document({ address: path, siteTitle: SITE_TITLE, requestId: "bench" });
    if (made.status !== 200) throw new Error(`The page answers ${made.status}`);
    await new CachedAnswer(made).encode(encoding);
  }

  for (let rendering = 0; rendering < WARM_UP; rendering++) await render();
  const start = process.cpuUsage();
  for (let rendering = 0; rendering < RENDERINGS; rendering++) await render();
  const { user, system } = process.cpuUsage(start);
  process.send?.((user + system) / 1000 / RENDERINGS);
});
