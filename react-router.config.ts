import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // The whole manifest travels with the scripts, which closes the manifest endpoint.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
