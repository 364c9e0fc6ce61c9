import type { Settings } from "../config/settings.ts";

type RedirectRules = Pick<Settings, "siteUrl" | "redirectUrls">;

/** The request's own host does not count: the link goes to somebody else's mailbox. */
export function safeRedirect(requested: string | undefined, rules: RedirectRules): string {
  const target = parse(requested);
  const isAllowed = target && [rules.siteUrl, ...rules.redirectUrls].some((entry) => isBelow(entry, target));
  return isAllowed ? target.href : `${rules.siteUrl}/profile`;
}

/** Backslashes and control characters are read in more than one way, and a name before the host only misleads. */
function parse(requested: string | undefined): URL | undefined {
  if (requested === undefined || !/^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i.test(requested)) return undefined;
  const target = URL.parse(requested);
  return target?.username === "" && target.password === "" ? target : undefined;
}

function isBelow(entry: string, target: URL): boolean {
  const allowed = new URL(entry);
  const folder = allowed.pathname.endsWith("/") ? allowed.pathname : `${allowed.pathname}/`;
  return originOf(target) === originOf(allowed) && `${target.pathname}/`.startsWith(folder);
}

/** On one's own machine `localhost` and `127.0.0.1` are the same site under two names. */
function originOf({ protocol, hostname, port }: URL): string {
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return `${protocol}//${isLoopback ? "localhost" : hostname}:${port}`;
}
