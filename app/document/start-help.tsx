import { useLocation } from "react-router";

/**
 * Offers to reload a page whose scripts haven't started. Visitors see the offer only on /profile, which needs scripts;
 * members see it on every page. CSS shows this section after ten seconds unless hydration has removed it by then.
 */
export function StartHelp() {
  const { pathname } = useLocation();
  return (
    <section
      aria-label="Loading problem"
      className={`start-help ${pathname === "/profile" ? "" : "hidden in-data-session:flex"}`}
    >
      <p>This page is still loading. If it takes too long, check your connection and reload it.</p>
      {/* biome-ignore lint/a11y/useValidAnchor: an empty `href` reloads the page, including its query */}
      <a href="" className="inline-flex min-h-11 items-center underline underline-offset-4">
        Reload
      </a>
    </section>
  );
}
