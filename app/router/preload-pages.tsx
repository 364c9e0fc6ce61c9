import { useEffect, useState } from "react";
import { whenIdle } from "../ui/when-idle.ts";
import { routeModules } from "./manifest.ts";

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
