import type { ReactNode } from "react";
import { Link } from "react-router";

export function PersonLink({ to, name }: { to: string; name: ReactNode }) {
  return (
    <Link to={to} className="marked underline decoration-1 underline-offset-3">
      <bdi>{name}</bdi>
    </Link>
  );
}
