import { Link } from "react-router";

/** `to` is the person's page. */
export function PersonLink({ to, name }: { to: string; name: string }) {
  return (
    <Link to={to} className="underline decoration-line-strong underline-offset-3 hover:decoration-current">
      <bdi>{name}</bdi>
    </Link>
  );
}
