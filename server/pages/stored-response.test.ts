import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { chooseEncoding, compress } from "./stored-response.ts";

describe("choosing the encoding that a client prefers (RFC 9110 §12.5.3)", () => {
  test.each([
    [undefined, "identity"],
    ["", "identity"],
    ["identity", "identity"],
    ["deflate", "identity"],
    ["gzip", "gzip"],
    ["br", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip,deflate,br", "br"],
    ["gzip;q=1.0, br;q=0.8", "gzip"],
    ["*", "br"],
    ["br, gzip", "br"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.0,gzip", "gzip"],
    ["br; q=0.000 , gzip ; q=0.5", "gzip"],
    ["gzip;q=0", "identity"],
    ["gzip;q=0, br;q=0", "identity"],
    ["br;q=0.001", "br"],
    ["gzip;q=0.5, br;q=0", "gzip"],
    ["identity;q=0, gzip", "gzip"],
    ["*;q=0", "identity"],
    ["GZIP", "gzip"],
    ["BR;Q=0, gzip", "gzip"],
    ["brotli", "identity"],
    ["br-custom", "identity"],
    ["x-br", "identity"],
    [";q=0,,br", "br"],
  ] as const)("a client with Accept-Encoding %j gets the encoding %s", (accepted, encoding) => {
    expect(chooseEncoding(accepted)).toBe(encoding);
  });
});

describe("compressing a page", () => {
  const page = Buffer.from("<p>The same line, É 😀.</p>\n".repeat(500));

  test("decompressing a compressed page restores it", async () => {
    expect(brotliDecompressSync(await compress(page, "br"))).toEqual(page);
    expect(gunzipSync(await compress(page, "gzip"))).toEqual(page);
    expect(await compress(page, "identity")).toEqual(page);
  });

  test("Brotli compresses a page at least as well as gzip", async () => {
    const [br, gzip] = await Promise.all([compress(page, "br"), compress(page, "gzip")]);
    expect(gzip.length).toBeLessThan(page.length / 10);
    expect(br.length).toBeLessThanOrEqual(gzip.length);
  });

  test("an empty page can be compressed and restored", async () => {
    expect(brotliDecompressSync(await compress(Buffer.alloc(0), "br"))).toHaveLength(0);
  });
});
