import { useRouteLoaderData } from "react-router";
import type { Site } from "../site.ts";

/** The whole address of a page of ours, on paper only. */
export function PrintedAddress({ path }: { path: string }) {
  const site = useRouteLoaderData("root") as Site | undefined;
  return <span className="printed-address">{`${site?.url ?? ""}${path}`}</span>;
}
