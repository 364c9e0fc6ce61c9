import { data, redirectDocument } from "react-router";
import type { Route } from "./+types/not-found";

export function loader() {
  throw data(null, { status: 404 });
}

/** Requests the URL from the server, because it may belong to a file or a feed instead of a page. */
export const clientLoader = ({ url }: Route.ClientLoaderArgs) =>
  redirectDocument(url.pathname + url.search + url.hash);

/** Never shown, because the loader always throws. A route without a component would respond without the error page. */
export default function NotFound() {
  return null;
}
