import type { MiddlewareHandler } from "hono";

/** Characters that a path never needs to encode (RFC 3986, §2.3). */
const UNRESERVED = /%(2D|2E|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/**
 * Redirects other spellings of a page's path, such as `/%61rticles` and `/articles/`, to the one that the page's code,
 * its limits and the browser compare with.
 */
export const redirectToCanonicalPath: MiddlewareHandler = async (c, next) => {
  const { pathname, search } = new URL(c.req.url);
  const canonical = canonicalPath(pathname);
  return canonical === pathname ? next() : c.redirect(canonical + search, 301);
};

export function canonicalPath(path: string): string {
  const decoded = path.replace(UNRESERVED, decodeURIComponent);
  // A path that starts with two slashes would redirect to another host.
  const single = decoded.replace(/\/{2,}/g, "/");
  // React Router requests the data of `/articles/` at `/articles/_.data`.
  return single.replace(/(?<=.)\/$/, "").replace(/(?<=.)(\/_)+(?=\.data$)/, "");
}
