import { useEffect, useState } from "react";
import { whenIdle } from "../ui/when-idle.ts";

declare global {
  interface Window {
    /** All routes with their compiled modules. React Router's scripts define it (`routeDiscovery: "initial"`). */
    __reactRouterManifest?: { routes: Record<string, { module: string; imports?: string[] } | undefined> };
  }
}

/** Only operators load their page's code. */
const OPERATORS_ROUTE = "routes/admin";

/**
 * Preloads the code of all pages after hydration. If a page's code can't be loaded, React Router reloads the document,
 * which would lose the current page while the network is down. Waits until the browser is idle, so that a search that
 * was typed before hydration is sent first.
 */
export function PreloadPages() {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => void whenIdle(() => setIsIdle(true)), []);
  return isIdle && routeModules().map((path) => <link key={path} rel="modulepreload" href={path} />);
}

function routeModules(): string[] {
  const { [OPERATORS_ROUTE]: _, ...routes } = window.__reactRouterManifest?.routes ?? {};
  const modules = Object.values(routes).flatMap((route) =>
    route ? [route.module, ...(route.imports ?? [])] : [],
  );
  return [...new Set(modules)];
}
