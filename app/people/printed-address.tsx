import { useSite } from "../ui/use-site.ts";

/** Shows the absolute URL of a page of this site, but only in print. */
export function PrintedAddress({ path }: { path: string }) {
  const site = useSite();
  return <span className="printed-address">{`${site?.url ?? ""}${path}`}</span>;
}
