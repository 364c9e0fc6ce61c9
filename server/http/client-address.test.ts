import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { addressKey, clientAddress, warnAboutProxy } from "./client-address.ts";
import { createLog } from "./log.ts";

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
    [1, "192.0.2.1", "203.0.113.7:40001", "203.0.113.7"],
    [1, "192.0.2.1", "[2001:db8::9]:51000", "2001:db8::9"],
    [1, "192.0.2.1", "[2001:db8::9]", "2001:db8::9"],
    [1, "192.0.2.1", "2001:db8::9", "2001:db8::9"],
    [1, "192.0.2.1", "::ffff:909:910", "9.9.9.16"],
    [1, "192.0.2.1", "[::FFFF:cb00:7107]:80", "203.0.113.7"],
    [1, "192.0.2.1", "0:0:0:0:0:ffff:203.0.113.7", "203.0.113.7"],
    [1, "192.0.2.1", "::1", "::1"],
    [1, "192.0.2.1", "203.0.113.7:", "192.0.2.1"],
    [1, "192.0.2.1", "[203.0.113.999]:80", "192.0.2.1"],
    [2, "192.0.2.1", "198.51.100.1:7, 192.0.2.7:8", "198.51.100.1"],
    [1, "192.0.2.1", "x[2001:db8::9]:51000", "192.0.2.1"],
    [1, "192.0.2.1", "[2001:db8::9]x", "192.0.2.1"],
    [1, "192.0.2.1", "2001:db8::ffff:cb00:7107", "2001:db8::ffff:cb00:7107"],
    [1, "192.0.2.1", "", "192.0.2.1"],
    [1, "192.0.2.1", undefined, "192.0.2.1"],
  ])(
    "if %i proxies are trusted, a connection from %s with X-Forwarded-For %j has the client address %s",
    async (proxies, socket, forwarded, expected) => {
      expect(await addressSeen(proxies, socket, forwarded)).toBe(expected);
    },
  );
});

describe("warnings about the proxy", () => {
  async function warningsAfter(proxies: number, entries: (string | undefined)[]): Promise<string[]> {
    const lines: string[] = [];
    const app = new Hono()
      .use(
        warnAboutProxy(
          proxies,
          createLog((line) => void lines.push(line)),
        ),
      )
      .get("/", (c) => c.text("ok"));
    for (const entry of entries)
      await app.request("/", entry ? { headers: { "x-forwarded-for": entry } } : {});
    const warnings = lines.map((line): { event: string; reason: string } => JSON.parse(line));
    for (const { reason } of warnings)
      expect(reason).toMatch(/X-Forwarded-For .*, so all visitors behind the proxy count as one client$/);
    return warnings.map(({ event }) => event);
  }

  test.each([
    [0, [undefined, "192.0.2.7", "192.0.2.7"], ["proxy.untrusted"]],
    [1, ["192.0.2.7:1", undefined, "unix:", "unknown"], ["proxy.unreadable"]],
    [1, ["unknown, 192.0.2.7", "[2001:db8::9]:51000", "::ffff:909:910"], []],
    // Requests that bypass the outer proxy have fewer entries.
    [2, ["192.0.2.7"], []],
  ])("with TRUST_PROXY=%i, the entries %j cause the warnings %j", async (proxies, entries, expected) => {
    expect(await warningsAfter(proxies, entries)).toEqual(expected);
  });
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
    expect(addressKey("192.0.2.1")).toBe("192.0.2.1");
    expect(addressKey("192.0.2.1")).not.toBe(addressKey("192.0.2.2"));
  });

  test("an IPv6 key is the prefix in its canonical form, and requests in process share one key", () => {
    expect(addressKey("2001:DB8:1:2ab::1")).toBe("2001:0db8:0001:0200::/56");
    expect(addressKey(undefined)).toBe("local");
  });
});
