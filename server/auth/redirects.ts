import type { Settings } from "../config/settings.ts";

type RedirectRules = Pick<Settings, "siteUrl" | "redirectUrls">;

/**
 * Returns the page that a mailed link opens: the requested one if the settings allow it, otherwise the profile page.
 * Takes the site's URL from the settings, not from the request's Host header. An attacker could set that header, and
 * the account's owner would receive a link to another site.
 */
export function safeRedirect(requested: string | undefined, rules: RedirectRules): string {
  const target = parse(requested);
  const isAllowed = target && [rules.siteUrl, ...rules.redirectUrls].some((entry) => isWithin(entry, target));
  return isAllowed ? target.href : `${rules.siteUrl}/profile`;
}

/**
 * Rejects backslashes and control characters, which URL parsers treat differently. Also rejects user names, because
 * readers take `https://techfolio.example@evil.example` for a link to techfolio.example.
 */
function parse(requested: string | undefined): URL | undefined {
  if (requested === undefined || !/^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i.test(requested)) return undefined;
  const target = URL.parse(requested);
  return target?.username === "" && target.password === "" ? target : undefined;
}

function isWithin(entry: string, target: URL): boolean {
  const allowed = new URL(entry);
  const folder = allowed.pathname.endsWith("/") ? allowed.pathname : `${allowed.pathname}/`;
  return originOf(target) === originOf(allowed) && `${target.pathname}/`.startsWith(folder);
}

/** `localhost`, 127.0.0.1 and [::1] count as the same host, because all of them are the visitor's own machine. */
function originOf({ protocol, hostname, port }: URL): string {
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return `${protocol}//${isLoopback ? "localhost" : hostname}:${port}`;
}
