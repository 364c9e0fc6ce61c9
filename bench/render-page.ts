import { createDataClient } from "../common/data/client.ts";
import { readerOf } from "../common/data/postgrest-reader.ts";
import type { DataReader } from "../common/data/reader.ts";
import { createLog } from "../server/http/log.ts";
import { loadApplication } from "../server/pages/application.ts";
import { createPages } from "../server/pages/pages.ts";
import { createRenderer } from "../server/rendering/renderer.ts";
import type { MeasuredSite } from "./site.ts";

/** The first renders are not measured: during them, V8's compiler threads also use CPU time. */
const WARM_UP = 3_000;
const RENDERINGS = 1000;
const SITE_TITLE = "Techfolio.pro";

/** Returns the CPU milliseconds for rendering a page once, with its reads answered from memory. */
export async function measureRendering({ url, keys }: MeasuredSite, address: string): Promise<number> {
  const log = createLog(() => undefined);
  const render = createRenderer(log);
  const { handleRequest } = await loadApplication();
  const pages = createPages({
    site: () => ({
      url,
      backend: { url: "", key: keys.anonKey },
      signIn: { password: true, passkeys: false, providers: [] },
      footerLinks: [],
    }),
    handleRequest,
    data: readOnce(readerOf(createDataClient({ url, key: keys.anonKey }))),
    render,
  });
  let start = process.cpuUsage();
  for (let time = 0; time < WARM_UP + RENDERINGS; time++) {
    if (time === WARM_UP) start = process.cpuUsage();
    const response = await pages({ address, siteTitle: SITE_TITLE, reportFailure: () => undefined });
    if (response.status !== 200) throw new Error(`The page returned ${response.status}`);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / RENDERINGS;
}

/** Keeps the result of each read as text, because pages may change the rows. */
function readOnce(reader: DataReader): DataReader {
  const results = new Map<string, string>();
  async function remembered<Result>(read: object, run: () => Promise<Result>): Promise<Result> {
    const key = JSON.stringify(read);
    const text = results.get(key) ?? JSON.stringify(await run());
    results.set(key, text);
    return JSON.parse(text);
  }
  return {
    read: (read) => remembered(read, () => reader.read(read)),
    call: (call) => remembered(call, () => reader.call(call)),
  };
}
