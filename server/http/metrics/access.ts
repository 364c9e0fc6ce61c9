import { createHash, timingSafeEqual } from "node:crypto";
import { BlockList } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";

// What proxies leave on the requests that they pass on. With one of them, 'from this machine' only means the proxy.
const traces = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");
loopback.addSubnet("::ffff:127.0.0.0", 104, "ipv6");

/**
 * Takes a request and the token that is set, returns the status to refuse it with, if any. With a token that decides
 * alone; without one only programs on this machine are answered, and for all others there is nothing here.
 */
export function refusal(context: Context, token: string | undefined): 401 | 404 | undefined {
  if (token === undefined) return isFromHere(context) ? undefined : 404;
  const [scheme = "", given = ""] = (context.req.header("authorization") ?? "").split(" ");
  return scheme.toLowerCase() === "bearer" && isSame(given, token) ? undefined : 401;
}

function isFromHere(context: Context): boolean {
  if (!("incoming" in (context.env ?? {}))) return false;
  if (traces.some((name) => context.req.header(name) !== undefined)) return false;
  const { address = "", addressType } = getConnInfo(context).remote;
  return loopback.check(address, addressType === "IPv6" ? "ipv6" : "ipv4");
}

/** By their digests, so that the time it takes tells nothing about the token. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
