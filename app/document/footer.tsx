import { Link } from "react-router";
import type { Site } from "../../common/page-services.ts";

const LINK = "inline-flex min-h-11 items-center marked hover:text-on-marker";

/** The contract defines the text of the `<footer>`. Links to pages that are not in the top bar are outside it. */
export function Footer({ title, links }: { title: string; links: Site["footerLinks"] }) {
  return (
    // The minimum height prevents a layout shift if the browser paints the footer before its text arrives. For the same
    // reason, nothing is aligned with the right edge.
    <div className="mt-20 box-content min-h-32 border-t border-ink sm:min-h-21 print:hidden">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-8 px-5 py-5 text-sm text-muted sm:px-8">
        <footer className="flex flex-wrap items-center gap-x-8">
          <p className="py-3">© 2025 {title}. All rights reserved.</p>
          {links.length > 0 && (
            <ul className="flex flex-wrap gap-x-6">
              {links.map(({ name, href }) => (
                <li key={href}>
                  <Link to={href} className={LINK}>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </footer>
        <section aria-label="Find more" className="flex flex-wrap gap-x-6 max-sm:w-full">
          <Link to="/search" className={LINK}>
            Search
          </Link>
          <Link to="/people" className={LINK}>
            Professionals
          </Link>
        </section>
      </div>
    </div>
  );
}
