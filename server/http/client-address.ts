import { isIPv4, isIPv6 } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";

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
  return isIPv6(address) ? `${networkOf(address)}::/64` : address;
}

function networkOf(address: string): string {
  const [head = "", tail = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}
