import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connectThroughProxy } from "./forward-proxy.ts";

const connected: string[] = [];
const proxy = createServer((_, response) => response.end("from this machine"));
proxy.on("connect", ({ url = "" }, socket) => {
  connected.push(url);
  socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
});
let address = "";
beforeAll(async () => {
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(() => proxy.close());

test.each(["HTTPS_PROXY", "https_proxy"])(
  "with %s, requests to other machines are sent through the proxy, but not those to this machine or to a host in NO_PROXY",
  async (name) => {
    connected.length = 0;
    onTestFinished(connectThroughProxy({ [name]: address, NO_PROXY: "direct.test" }));
    await expect(fetch("https://id.example.test/.well-known/openid-configuration")).rejects.toThrow();
    await expect(fetch("https://direct.test/")).rejects.toThrow();
    expect(connected).toEqual(["id.example.test:443"]);
    expect(await (await fetch(address)).text()).toBe("from this machine");
  },
);

test("an address that is none is rejected without quoting it", () => {
  expect(() => connectThroughProxy({ HTTPS_PROXY: "user:secret" })).not.toThrow("secret");
  expect(() => connectThroughProxy({ HTTPS_PROXY: "proxy" })).toThrow("HTTPS_PROXY must be an address");
});

test("without the variable, nothing is sent through a proxy", async () => {
  connected.length = 0;
  onTestFinished(connectThroughProxy({}));
  await expect(fetch("https://id.example.test/")).rejects.toThrow();
  expect(connected).toEqual([]);
});
