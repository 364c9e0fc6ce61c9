import { safeAddress } from "../../common/safe-address.ts";
import { useSite } from "../ui/use-site.ts";

interface PrintedAddressProps {
  /** The path of a page of this site. */
  path: string;
  /** The web address that the item is about. It is shown instead of the page's address if it is safe. */
  address?: string | undefined;
}

/** Shows an absolute URL, but only in print. */
export function PrintedAddress({ path, address }: PrintedAddressProps) {
  const site = useSite();
  return <span className="printed-address">{safeAddress(address) || `${site?.url ?? ""}${path}`}</span>;
}
