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

/** Only operators load their page's code. */
const OPERATORS_ROUTE = "routes/admin";

/** The paths of the modules of all pages that everyone may open. */
export function routeModules(): string[] {
  const { [OPERATORS_ROUTE]: _, ...routes } = window.__reactRouterManifest?.routes ?? {};
  const modules = Object.values(routes).flatMap((route) =>
    route ? [route.module, ...(route.imports ?? [])] : [],
  );
  return [...new Set(modules)];
}
