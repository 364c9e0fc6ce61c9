import { useState } from "react";
import { Link, useLocation, useSubmit } from "react-router";
import { KINDS } from "../../common/kinds/index.ts";
import { useSession } from "../session/session.ts";
import { Button } from "../ui/button.tsx";
import { Mark } from "../ui/icons.tsx";

const DESTINATIONS = [...KINDS, { path: "/profile", name: "Profile" }];
/** More destinations don't fit next to the site's name, so they get a line of their own on every screen. */
const MAX_IN_LINE = 4;
const NAV =
  DESTINATIONS.length > MAX_IN_LINE
    ? "order-last flex w-full flex-wrap gap-x-3 lg:gap-x-6"
    : "order-last flex w-full flex-wrap gap-x-3 sm:order-none sm:w-auto lg:gap-x-6";

export function TopBar({ title, logo }: { title: string; logo: string | undefined }) {
  const { pathname } = useLocation();
  const { status } = useSession();
  const submit = useSubmit();
  // A focused button stays after Sign Out until the home page's heading has the focus.
  const [isFocused, setIsFocused] = useState(false);
  // The pages below /profile are members' public pages, which are not part of the Profile page.
  const isCurrent = (path: string) =>
    pathname === path || (path !== "/profile" && pathname.startsWith(`${path}/`));
  return (
    <header className="border-b border-ink print:hidden">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-4 px-5 py-1 sm:px-8 lg:gap-x-8 sm:py-3">
        <div className="max-w-full min-w-0 max-sm:flex-1">
          <Link
            to="/"
            className="inline-flex min-h-11 max-w-full items-center gap-2.5 font-display marked text-xl font-bold tracking-tight *:shrink-0"
          >
            {logo ? (
              <img
                src={logo}
                alt=""
                height="30"
                className="h-7.5 w-auto max-w-40 object-contain object-left"
              />
            ) : (
              <Mark />
            )}
            <span className="min-w-0 shrink! truncate">{title}</span>
          </Link>
        </div>
        <nav aria-label="Main" className={NAV}>
          {DESTINATIONS.map(({ path, name }) => (
            <Link
              key={path}
              to={path}
              aria-current={isCurrent(path) ? "page" : undefined}
              className="inline-flex min-h-11 items-center marked text-sm text-muted aria-[current=page]:text-on-marker lg:text-base"
            >
              {name}
            </Link>
          ))}
        </nav>
        <div className="ms-auto min-h-11 in-data-session:min-w-21 lg:in-data-session:min-w-29">
          {(status === "in" || isFocused) && (
            <Button
              onFocus={() => setIsFocused(true)}
              onBlur={() => setIsFocused(false)}
              className="max-lg:px-3 max-lg:text-sm"
              onClick={() => void submit(null, { method: "post", action: "/" })}
            >
              Sign Out
            </Button>
          )}
        </div>
      </div>
    </header>
  );
}
