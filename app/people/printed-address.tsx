import { useRouteLoaderData } from "react-router";
import type { Site } from "../../common/page-services.ts";

/** Shows the absolute URL of a page of this site, but only in print. */
export function PrintedAddress({ path }: { path: string }) {
  const site = useRouteLoaderData("root") as Site | undefined;
  return <span className="printed-address">{`${site?.url ?? ""}${path}`}</span>;
}
