import type { Hono, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";

const ONE_DAY_SECONDS = 86_400;

/** Response headers that the API's clients read. Browsers reveal only a few others to scripts. */
const EXPOSED = [
  "Content-Range",
  "Location",
  "Link",
  "ETag",
  "Retry-After",
  "WWW-Authenticate",
  "X-Request-Id",
  "X-Total-Count",
  "X-Sb-Error-Code",
  "X-Supabase-Api-Version",
];

const DATA_PATHS = ["/rest/v1/*", "/auth/v1/*"];
const PICTURE_PATHS = ["/storage/v1/object/*"];

/**
 * Lets pages of other origins use the API in a browser (the Fetch standard, "CORS protocol"). They can read pictures,
 * but not upload them. Requests never carry credentials of their own: the site has no cookies, and a page of another
 * origin can't read the token in this site's storage.
 */
export function allowOrigins(app: Hono, origins: string[]): void {
  if (origins.length === 0) return;
  const isOpen = origins.includes("*");
  const options = { origin: isOpen ? "*" : origins, exposeHeaders: EXPOSED, maxAge: ONE_DAY_SECONDS };
  const data = cors({ ...options, allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] });
  const pictures = cors({ ...options, allowMethods: ["GET", "HEAD"] });
  for (const path of DATA_PATHS) app.use(path, onlyPreflights(data));
  for (const path of PICTURE_PATHS) app.use(path, onlyReads(pictures));
}

/** Leaves out an OPTIONS that isn't a preflight: it asks for the methods of the path. */
function onlyPreflights(middleware: MiddlewareHandler): MiddlewareHandler {
  return (c, next) => {
    const isPreflight = c.req.header("access-control-request-method") !== undefined;
    return c.req.method === "OPTIONS" && !isPreflight ? next() : middleware(c, next);
  };
}

/** Leaves out other requests and their preflights: browsers allow POST even if a preflight's response doesn't list it. */
function onlyReads(middleware: MiddlewareHandler): MiddlewareHandler {
  return (c, next) => {
    const { method } = c.req;
    const requested = method === "OPTIONS" ? c.req.header("access-control-request-method") : method;
    return requested === "GET" || requested === "HEAD" ? middleware(c, next) : next();
  };
}
