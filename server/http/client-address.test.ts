import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { addressKey, clientAddress } from "./client-address.ts";

async function addressSeen(proxies: number, socket: string | undefined, forwarded?: string): Promise<string> {
  const app = new Hono().get("/", (c) => c.text(String(clientAddress(c, proxies))));
  const env = socket === undefined ? undefined : { incoming: { socket: { remoteAddress: socket } } };
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  return (await app.request("/", { headers }, env)).text();
}

describe("the address of a client, with and without proxies", () => {
  test.each([
    [0, "192.0.2.1", undefined, "192.0.2.1"],
    [0, "192.0.2.1", "198.51.100.1", "192.0.2.1"],
    [0, "::ffff:192.0.2.1", undefined, "192.0.2.1"],
    [0, "fe80::1%eth0", undefined, "fe80::1"],
    [0, undefined, "198.51.100.1", "undefined"],
    [1, "192.0.2.1", "198.51.100.1", "198.51.100.1"],
    [1, "192.0.2.1", "203.0.113.9, 198.51.100.1", "198.51.100.1"],
    [2, "192.0.2.1", "203.0.113.9, 198.51.100.1, 192.0.2.7", "198.51.100.1"],
    [2, "192.0.2.1", "198.51.100.1", "192.0.2.1"],
    [1, "192.0.2.1", "unknown", "192.0.2.1"],
    [1, "192.0.2.1", "", "192.0.2.1"],
    [1, "192.0.2.1", undefined, "192.0.2.1"],
  ])(
    "if %i proxies are trusted, a connection from %s with X-Forwarded-For %j has the client address %s",
    async (proxies, socket, forwarded, expected) => {
      expect(await addressSeen(proxies, socket, forwarded)).toBe(expected);
    },
  );
});

describe("the key that identifies a client to the limits", () => {
  test("all addresses in an IPv6 /56 share one key, in any notation", () => {
    const key = addressKey("2001:db8:1:2::1");
    expect(addressKey("2001:0DB8:0001:0002:ffff:ffff:ffff:ffff")).toBe(key);
    expect(addressKey("2001:db8:1:2:0:0:0:0")).toBe(key);
    expect(addressKey("2001:db8:1:ff::1")).toBe(key);
    expect(addressKey("2001:db8:1:100::1")).not.toBe(key);
    expect(addressKey("2001:db8::1")).not.toBe(key);
    expect(addressKey("::1")).toBe(addressKey("0:0:0:0::2"));
  });

  test("different IPv4 addresses have different keys", () => {
    expect(addressKey("192.0.2.1")).not.toBe(addressKey("192.0.2.2"));
  });
});
