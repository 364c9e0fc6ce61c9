import { useState } from "react";
import { Link } from "react-router";
import { isNameless } from "../../session/storage.ts";

/**
 * Asks a member without a name for one before they publish. It neither appears nor disappears while the form is open,
 * because it would look like a message about a save (specification §8).
 */
export function NameHint({ userId }: { userId: string }) {
  const [isShown] = useState(() => isNameless(userId));
  if (!isShown) return null;
  return (
    <p className="name-hint text-sm text-muted">
      Readers can't see your name yet.{" "}
      <Link to="/profile#name" className="font-semibold text-ink underline underline-offset-4">
        Add your name
      </Link>
    </p>
  );
}
