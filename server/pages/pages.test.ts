import { RouterContextProvider, type ServerBuild } from "react-router";
import { expect, test } from "vitest";
import { createDataClient } from "../../app/data/client.ts";
import { createLog } from "../http/log.ts";
import { createPages } from "./pages.ts";

/** An application whose every rendering fails, that of its error page included. */
const BROKEN = {
  entry: {
    module: {
      default: () => Promise.reject(new Error("broken")),
      createLoadContext: () => new RouterContextProvider(),
      handleError: () => undefined,
    },
  },
  routes: { root: { id: "root", path: "", module: { default: () => null } } },
  assets: { version: "", entry: { imports: [], module: "" }, routes: {} },
  routeDiscovery: { mode: "initial" },
  future: {},
  ssr: true,
} as unknown as ServerBuild;

test("a page whose error page fails, too, is no page", async () => {
  const pages = createPages({
    site: { url: "http://techfolio.test", backend: { url: "", key: "" }, footerLinks: [] },
    build: BROKEN,
    data: createDataClient({ url: "http://127.0.0.1", key: "" }),
    render: async () => ({ html: [], isFinal: true }),
    log: createLog(() => undefined),
    isProduction: true,
  });
  const request = { address: "/", siteTitle: "Techfolio.pro", requestId: "" };
  await expect(pages.document(request)).rejects.toThrow("The page cannot be rendered");
});
