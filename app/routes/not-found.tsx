import { data } from "react-router";

/** Answers every address that no other route knows. Throws a 404, which the document's error page shows. */
export function loader() {
  throw data(null, { status: 404 });
}

/** Never shown, because the loader always throws; without a component this would be no page. */
export default function NotFound() {
  return null;
}
