import { isRouteErrorResponse, Link, useLocation } from "react-router";
import type { Site } from "../../common/page-services.ts";

export function ErrorPage({ error, site }: { error: unknown; site: Site | undefined }) {
  return <ErrorText isUnknown={isRouteErrorResponse(error) && error.status === 404} site={site} />;
}

/** `isUnknown` means that the address has no page. Otherwise, the page failed. */
export function ErrorText({ isUnknown, site }: { isUnknown: boolean; site: Site | undefined }) {
  const { pathname, search } = useLocation();
  const name = isUnknown ? "Page not found" : "Something went wrong";
  return (
    <div className="py-16">
      <title>{site ? `${name} · ${site.title}` : name}</title>
      <p aria-hidden="true" className="font-mono text-sm text-muted">
        {isUnknown ? "404" : "500"}
      </p>
      <h1 className="mt-2 font-display text-title font-bold tracking-tight">
        {isUnknown ? "This page does not exist" : "Something went wrong"}
      </h1>
      <p className="mt-4 max-w-measure text-lg text-muted">
        {isUnknown
          ? "Check the address. The page may have been removed."
          : "The page could not be shown. Try again in a moment."}
      </p>
      <p className="mt-8 flex flex-wrap gap-x-6 gap-y-2">
        {!isUnknown && (
          <Link to={pathname + search} className="marked underline underline-offset-4">
            Try Again
          </Link>
        )}
        <Link to="/" className="marked underline underline-offset-4">
          Go to the home page
        </Link>
      </p>
    </div>
  );
}
