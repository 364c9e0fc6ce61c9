import { Link } from "react-router";
import type { Site } from "../../common/page-services.ts";

export function Footer({ title, links }: { title: string; links: Site["footerLinks"] }) {
  return (
    // The minimum height prevents a layout shift if the browser paints the footer before its text arrives.
    <footer className="mt-20 box-content min-h-21 border-t border-ink print:hidden">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-8 px-5 py-5 text-sm text-muted sm:px-8">
        <p className="py-3">© 2025 {title}. All rights reserved.</p>
        {links.length > 0 && (
          <ul className="flex flex-wrap gap-x-6">
            {links.map(({ name, href }) => (
              <li key={href}>
                <Link to={href} className="inline-flex min-h-11 items-center marked hover:text-on-marker">
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </footer>
  );
}
