import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // The client loaders are one line each: files of their own would only be more requests.
  splitRouteModules: false,
  // The whole manifest travels with the scripts, which closes the manifest endpoint.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
