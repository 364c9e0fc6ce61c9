declare global {
  interface Window {
    /** All routes with their compiled modules. React Router's scripts define it (`routeDiscovery: "initial"`). */
    __reactRouterManifest?: {
      version: string;
      routes: Record<string, { module: string; imports?: string[] } | undefined>;
    };
  }
}

/** A hash of the build that the tab runs. */
export const buildVersion = () => window.__reactRouterManifest?.version;

/** The operators' page, and pages that open as a new document. */
const RARE_ROUTES = ["routes/admin", "routes/join", "routes/report"];

/** The paths of the modules of pages that open without a new document. */
export function routeModules(): string[] {
  const routes = Object.entries(window.__reactRouterManifest?.routes ?? {});
  const modules = routes.flatMap(([id, route]) =>
    route && !RARE_ROUTES.includes(id) ? [route.module, ...(route.imports ?? [])] : [],
  );
  return [...new Set(modules)];
}
