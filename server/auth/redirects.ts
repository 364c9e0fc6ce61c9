import type { Settings } from "../config/settings.ts";

type RedirectRules = Pick<Settings, "siteUrl" | "redirectUrls">;

/** The request's own host does not count: the link goes to somebody else's mailbox. */
export function safeRedirect(requested: string | undefined, rules: RedirectRules): string {
  const target = parse(requested);
  const allowed =
    target !== undefined && (isOwn(target, rules.siteUrl) || isListed(target, rules.redirectUrls));
  return allowed ? target.href : `${rules.siteUrl}/profile`;
}

/** Backslashes and control characters are read in more than one way, and a name before the host only misleads. */
function parse(requested: string | undefined): URL | undefined {
  if (requested === undefined || !/^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i.test(requested)) return undefined;
  const target = URL.canParse(requested) ? new URL(requested) : undefined;
  return target?.username === "" && target.password === "" ? target : undefined;
}

function isOwn(target: URL, siteUrl: string): boolean {
  const site = new URL(siteUrl);
  const same = target.protocol === site.protocol && target.port === site.port;
  if (!same) return false;
  return target.hostname === site.hostname || (isLoopback(target) && isLoopback(site));
}

/** On one's own machine `localhost` and `127.0.0.1` are the same site under two names. */
function isLoopback(url: URL): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
}

function isListed(target: URL, listed: string[]): boolean {
  return listed.some((entry) => {
    const { origin, pathname } = new URL(entry);
    const below = pathname.endsWith("/") ? pathname : `${pathname}/`;
    return target.origin === origin && (target.pathname === pathname || target.pathname.startsWith(below));
  });
}
