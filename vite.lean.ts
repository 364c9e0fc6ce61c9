import type { Plugin } from "vite";

/**
 * Parts of React Router that this site never reaches: by module, what is written there and what stands in its place.
 * Each takes a call away, and tree shaking what only that call needed: together 7 kB of what a reader downloads.
 */
const UNREACHED: Record<string, readonly (readonly [string, string])[]> = {
  // Route discovery is "initial" (react-router.config.ts): the manifest is complete, and no link is looked up.
  "dom/ssr/fog-of-war.js": [
    ["if (!isFogOfWarEnabled(routeDiscovery, ssr)) return;", "return;"],
    [
      "if (!isFogOfWarEnabled(routeDiscovery, ssr) || window.navigator?.connection?.saveData === true) return;",
      "return;",
    ],
    ['return routeDiscovery.mode === "lazy" && ssr === true;', "return false;"],
  ],
  "router/router.js": [
    ["if (init.patchRoutesOnNavigation) {", "if (false) {"],
    ["if (isFogOfWar) {", "if (false) {"],
    // Nothing is instrumented.
    ["if (init.instrumentations) {", "if (false) {"],
    ["if (init.instrumentations) router =", "if (false) router ="],
    ["consumeInstrumentationClientResultMetaReceiver(router)", "void 0"],
    // No route has an action and no page a fetcher: writes go to /rest/v1.
    [
      "else if (opts && opts.submission && isMutationMethod(opts.submission.formMethod)) {",
      "else if (false) {",
    ],
    ["\t\tfetch,\n\t\trevalidate,", "\t\trevalidate,"],
  ],
  "dom/ssr/single-fetch.js": [
    ['if (request.method !== "GET") return singleFetchActionStrategy(args, fetchAndDecode);', ""],
    [
      "if (!ssr && !foundRevalidatingServerLoader) return nonSsrStrategy(args, getRouteInfo, fetchAndDecode);",
      "",
    ],
    ["if (fetcherKey) return singleFetchLoaderFetcherStrategy(args, fetchAndDecode);", ""],
  ],
  // No route runs actions or middleware of its own in the browser.
  "dom/ssr/routes.js": [
    ["if (!routeModule.clientAction) {", "if (true) {"],
    ["action: route.hasClientAction ? async", "action: false ? async"],
    ["middleware: route.hasClientMiddleware ? async", "middleware: false ? async"],
  ],
  // No navigation is animated by the browser.
  "components.js": [
    ["if (!viewTransitionOpts || !isViewTransitionAvailable) {", "if (true) {"],
    ["if (renderDfd && pendingState && router.window) {", "if (false) {"],
    ["if (!vtContext.isTransitioning && interruption) {", "if (false) {"],
  ],
  // There are no server components.
  "hooks.js": [["if (this.context) return ", "if (false) return "]],
  // No link is prefetched. The others are not used, and only the giving of a name keeps them.
  "dom/lib.js": [
    ['HistoryRouter.displayName = "unstable_HistoryRouter";', ""],
    ['Form.displayName = "Form";', ""],
    ["const Form = React$1.forwardRef(", "const Form = /* @__PURE__ */ React$1.forwardRef("],
    ["return shouldPrefetch && !isAbsolute ? ", "return false ? "],
    ["usePrefetchBehavior(prefetch, rest)", "[false, null, null]"],
  ],
};

const MODULE = /react-router[\\/]dist[\\/]production[\\/]lib[\\/](.+)$/;
const PRELOAD_HELPER = "\0vite/preload-helper.js";

/**
 * Keeps the browser's code small. A release of React Router that words these parts otherwise fails the build and
 * is looked at anew; until then they can be left as they are by deleting them here.
 */
export function leanClient(): Plugin {
  return {
    name: "lean-client",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    load(id) {
      // The helper preloads style sheets and the imports of imports; here neither waits for the other.
      return id === PRELOAD_HELPER ? "export const __vitePreload = (load) => load();" : null;
    },
    transform(code, id) {
      const module = MODULE.exec(id)?.[1]?.replaceAll("\\", "/") ?? "";
      const parts = Object.hasOwn(UNREACHED, module) ? (UNREACHED[module] ?? []) : [];
      return parts.reduce((text, [written, instead]) => {
        if (!text.includes(written)) this.error(`${module} no longer says: ${written}`);
        return text.replaceAll(written, instead);
      }, code);
    },
  };
}
