import { data, redirectDocument } from "react-router";
import type { Route } from "./+types/not-found";

export function loader() {
  throw data(null, { status: 404 });
}

/** The link may point to a file or a feed. Only the server can tell. */
export const clientLoader = ({ url }: Route.ClientLoaderArgs) =>
  redirectDocument(url.pathname + url.search + url.hash);

/** Never shown, because the loader always throws. A route without a component would not be a page. */
export default function NotFound() {
  return null;
}
