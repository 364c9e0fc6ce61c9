import { isIPv4, isIPv6 } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { expandIPv6 } from "hono/utils/ipaddr";

/** Undefined inside the process. `X-Forwarded-For` counts from its right end, where proxies wrote. */
export function clientAddress(c: Context, trustedProxies: number): string | undefined {
  const socket = "incoming" in (c.env ?? {}) ? getConnInfo(c).remote.address : undefined;
  if (trustedProxies === 0) return plainAddress(socket);
  const forwarded = (c.req.header("x-forwarded-for") ?? "").split(",").map((part) => part.trim());
  return plainAddress(forwarded.at(-trustedProxies)) ?? plainAddress(socket);
}

function plainAddress(address: string | undefined): string | undefined {
  const bare = address?.replace(/%.*$/, "").replace(/^::ffff:(?=[\d.]+$)/i, "");
  return bare !== undefined && (isIPv4(bare) || isIPv6(bare)) ? bare : undefined;
}

/** What failures are counted under: an IPv6 customer holds a whole /64 (RFC 6177). */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return "local";
  if (!isIPv6(address)) return address;
  const network = expandIPv6(address.toLowerCase()).split(":").slice(0, 4);
  return `${network.join(":")}::/64`;
}
