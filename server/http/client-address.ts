import { isIPv4, isIPv6 } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context, MiddlewareHandler } from "hono";
import { expandIPv6 } from "hono/utils/ipaddr";
import type { Log } from "./log.ts";

/**
 * Each proxy appends the address of its client to `X-Forwarded-For`. The last `trustedProxies` entries are therefore
 * reliable, and the first of those is the client's. A client can forge all earlier entries. Returns undefined for
 * in-process requests.
 */
export function clientAddress(c: Context, trustedProxies: number): string | undefined {
  const socket = "incoming" in (c.env ?? {}) ? getConnInfo(c).remote.address : undefined;
  if (trustedProxies === 0) return plainAddress(socket);
  return plainAddress(forwardedEntry(c, trustedProxies)) ?? plainAddress(socket);
}

const forwardedEntry = (c: Context, trustedProxies: number) =>
  (c.req.header("x-forwarded-for") ?? "")
    .split(",")
    .map((part) => part.trim())
    .at(-trustedProxies);

/**
 * Proxies write IPv6 addresses with or without brackets, and some append the client's port (`203.0.113.7:40001`,
 * `[2001:db8::9]:51000`). An IPv4 address that is mapped to IPv6 counts as the IPv4 address.
 */
export function plainAddress(address: string | undefined): string | undefined {
  const host = /^\[(.*)\](?::\d+)?$/.exec(address ?? "")?.[1] ?? address?.replace(/^([\d.]+):\d+$/, "$1");
  const bare = host?.replace(/%.*$/, "") ?? "";
  if (isIPv4(bare)) return bare;
  return isIPv6(bare) ? (mappedIPv4(bare) ?? bare) : undefined;
}

/** Returns the IPv4 address in `::ffff:203.0.113.7`, also in its hexadecimal form `::ffff:cb00:7107`. */
function mappedIPv4(address: string): string | undefined {
  // A URL's host has one canonical form for each address.
  const [, high = "", low = ""] =
    /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(new URL(`http://[${address}]`).hostname) ?? [];
  if (high === "") return undefined;
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 0xff])
    .join(".");
}

/** A key for limits per client. An IPv6 /56 counts as one client, because one customer often has all of it (RFC 6177). */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return "local";
  if (!isIPv6(address)) return address;
  const groups = expandIPv6(address.toLowerCase()).split(":");
  return `${groups.slice(0, 3).join(":")}:${groups[3]?.slice(0, 2)}00::/56`;
}

export const clientKey = (trustedProxies: number) => (c: Context) =>
  addressKey(clientAddress(c, trustedProxies));

/** Warns once if TRUST_PROXY is missing, or if the entry of the client cannot be read. */
export function warnAboutProxy(trustedProxies: number, log: Log): MiddlewareHandler {
  let isWarned = false;
  const warn = (event: string, reason: string) => {
    isWarned = true;
    log.warn({ reason: `${reason}, so all visitors behind the proxy count as one client` }, event);
  };
  return (c, next) => {
    if (isWarned || c.req.header("X-Forwarded-For") === undefined) return next();
    if (trustedProxies === 0) warn("proxy.untrusted", "X-Forwarded-For is ignored until TRUST_PROXY is set");
    else if (isUnreadable(forwardedEntry(c, trustedProxies)))
      warn("proxy.unreadable", "The proxy's entry in X-Forwarded-For is not an IP address");
    return next();
  };
}

const isUnreadable = (entry: string | undefined) => entry !== undefined && plainAddress(entry) === undefined;
