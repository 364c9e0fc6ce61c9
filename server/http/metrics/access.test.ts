import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createMetrics } from "./metrics.ts";

/** Takes a token, an address and headers, returns the status with which `/metrics` is answered. */
async function ask(token: string | undefined, remoteAddress: string, headers: Record<string, string> = {}) {
  const metrics = createMetrics(token);
  const app = new Hono();
  app.get("/metrics", metrics.handler);
  const remoteFamily = remoteAddress.includes(":") ? "IPv6" : "IPv4";
  const incoming = { socket: { remoteAddress, remoteFamily, remotePort: 1 } };
  const response = await app.request("/metrics", { headers }, { incoming });
  metrics.close();
  return response.status;
}

const token = "a-token-of-23-characters";

describe("without a token", () => {
  it.each(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])("answers %s", async (address) => {
    expect(await ask(undefined, address)).toBe(200);
  });

  it.each(["192.0.2.1", "10.0.0.1", "2001:db8::1", "::ffff:192.0.2.1", "::"])(
    "has nothing for %s",
    async (address) => {
      expect(await ask(undefined, address)).toBe(404);
    },
  );

  it.each(["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "X-Forwarded-Host", "X-Forwarded-Proto"])(
    "has nothing for a proxy that sends %s",
    async (name) => {
      expect(await ask(undefined, "127.0.0.1", { [name]: "127.0.0.1" })).toBe(404);
    },
  );

  it("has nothing for a call inside the process", async () => {
    const metrics = createMetrics(undefined);
    const app = new Hono();
    app.get("/metrics", metrics.handler);
    expect((await app.request("/metrics")).status).toBe(404);
    metrics.close();
  });
});

describe("with a token", () => {
  it.each([`Bearer ${token}`, `bearer ${token}`])("answers %s from anywhere", async (authorization) => {
    expect(await ask(token, "192.0.2.1", { authorization })).toBe(200);
  });

  it.each(["", "Bearer", "Bearer ", "Bearer x", `Basic ${token}`, `Bearer ${token}x`, token])(
    "refuses %j, from this machine too",
    async (authorization) => {
      expect(await ask(token, "127.0.0.1", authorization === "" ? {} : { authorization })).toBe(401);
    },
  );
});
