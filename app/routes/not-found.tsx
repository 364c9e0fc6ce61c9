import { data } from "react-router";

export function loader() {
  throw data(null, { status: 404 });
}

/** Never shown, because the loader always throws; without a component this would be no page. */
export default function NotFound() {
  return null;
}
