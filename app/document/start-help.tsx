import { Link, useLocation } from "react-router";

/**
 * For members and on /profile, where the page is of no use without its scripts. CSS shows it if hydration has not removed
 * it after ten seconds.
 */
export function StartHelp() {
  const { pathname, search } = useLocation();
  return (
    <section
      aria-label="Loading problem"
      className={`start-help ${pathname === "/profile" ? "" : "hidden in-data-session:flex"}`}
    >
      <p>This page is still loading. If it takes too long, check your connection and reload it.</p>
      <Link
        reloadDocument
        to={pathname + search}
        className="inline-flex min-h-11 items-center underline underline-offset-4"
      >
        Reload
      </Link>
    </section>
  );
}
