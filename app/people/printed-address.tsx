import { useRouteLoaderData } from "react-router";
import type { Site } from "../site.ts";

/** The absolute URL of one of our pages, shown only in print. */
export function PrintedAddress({ path }: { path: string }) {
  const site = useRouteLoaderData("root") as Site | undefined;
  return <span className="printed-address">{`${site?.url ?? ""}${path}`}</span>;
}
