import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // Client loaders have one line each, so separate files would only cause more requests.
  splitRouteModules: false,
  // Send the whole manifest with the scripts. Otherwise, browsers would request it from the server part by part.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
