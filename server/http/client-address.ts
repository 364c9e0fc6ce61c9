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
  const forwarded = (c.req.header("x-forwarded-for") ?? "").split(",").map((part) => part.trim());
  return plainAddress(forwarded.at(-trustedProxies)) ?? plainAddress(socket);
}

export function plainAddress(address: string | undefined): string | undefined {
  const bare = address?.replace(/%.*$/, "").replace(/^::ffff:(?=[\d.]+$)/i, "");
  return bare !== undefined && (isIPv4(bare) || isIPv6(bare)) ? bare : undefined;
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

export function warnAboutProxy(trustedProxies: number, log: Log): MiddlewareHandler {
  let isWarned = trustedProxies > 0;
  return (c, next) => {
    if (!isWarned && c.req.header("X-Forwarded-For") !== undefined) {
      isWarned = true;
      log.warn(
        {
          reason:
            "X-Forwarded-For is ignored, so all visitors behind the proxy count as one client: set TRUST_PROXY",
        },
        "proxy.untrusted",
      );
    }
    return next();
  };
}
