import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, request as httpRequest, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ROOT } from "../support/node.ts";
import { caddy, PROXIES, type ReverseProxy } from "../support/proxies.ts";

async function serve(onRequest: RequestListener): Promise<string> {
  const server = createServer(onRequest).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A process of the site that responds with the request's headers. */
const serveHeaders = (name: string) =>
  serve((request, response) => {
    request.resume();
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ name, path: request.url, ...request.headers }));
  });

async function start(
  proxy: ReverseProxy,
  upstreams: string[],
  change?: (text: string) => string,
): Promise<string> {
  const opened = new AsyncDisposableStack();
  onTestFinished(() => opened.disposeAsync());
  return (await proxy.start(upstreams, opened, change)).url;
}

/** Requests a path with any Host, which `fetch` doesn't allow. */
async function ask(url: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  const outgoing = httpRequest(url, { headers, agent: false }).end();
  const [response] = await once(outgoing, "response");
  let body = "";
  for await (const part of response.setEncoding("utf8")) body += part;
  return { status: response.statusCode, body };
}

describe.each(PROXIES)("$name with the shipped configuration", (proxy) => {
  const isMissing = proxy.version === undefined;

  test.skipIf(isMissing)("passes on Host, replaces X-Forwarded-For and hides the metrics", async () => {
    const url = await start(proxy, [await serveHeaders("one")]);
    const headers = { Host: "techfolio.example:8443", "X-Forwarded-For": "203.0.113.7" };
    const { status, body } = await ask(`${url}/a%20b?c=d`, headers);
    expect({ status, ...JSON.parse(body) }).toMatchObject({
      status: 200,
      path: "/a%20b?c=d",
      // The shipped Caddyfile serves one host, which here is any host on a port.
      host: "techfolio.example:8443",
      "x-forwarded-for": "127.0.0.1",
    });
    expect((await ask(`${url}/metrics`, {})).status).toBe(404);
  });

  test.skipIf(isMissing)(
    "sends requests to the process that runs, reads and writes, when another one has ended",
    async () => {
      const ended = createServer().listen(0, "127.0.0.1");
      await once(ended, "listening");
      const { port } = ended.address() as AddressInfo;
      ended.close();
      const url = await start(proxy, [`http://127.0.0.1:${port}`, await serveHeaders("two")]);
      for (let count = 0; count < 6; count += 1) {
        const method = count % 2 === 0 ? "GET" : "POST";
        const response = await fetch(`${url}/articles`, { method });
        expect({ method, status: response.status }).toEqual({ method, status: 200 });
      }
    },
  );

  // The site itself limits bodies; Caddy passes them on while they arrive.
  test.skipIf(isMissing || proxy === caddy)("rejects a body that the site would reject", async () => {
    const url = await start(proxy, [await serveHeaders("one")]);
    const headers = { "Content-Length": 17 * 1024 * 1024 };
    const outgoing = httpRequest(`${url}/rest/v1/articles`, { method: "POST", headers, agent: false });
    outgoing.flushHeaders();
    const [response] = await once(outgoing, "response");
    expect(response.statusCode).toBe(413);
    outgoing.destroy();
  });
});

test.skipIf(caddy.version === undefined)(
  "with the lines for forward_auth, Caddy shows the site only to people who have signed in, and health checks to all",
  async () => {
    const guide = await readFile(path.join(ROOT, "docs/deploying.md"), "utf8");
    const [, lines = ""] = /```caddy\n(.*?forward_auth.*?)```/s.exec(guide) ?? [];
    let asked: unknown;
    const signIn = await serve((request, response) => {
      asked = { uri: request.headers["x-forwarded-uri"], token: request.headers.authorization };
      if (request.url?.startsWith("/oauth2/start")) return void response.end("Company sign-in");
      response.statusCode = request.headers.cookie === "company=yes" ? 202 : 401;
      return void response.end();
    });
    const site = await serveHeaders("site");
    const url = await start(caddy, [site], (text) =>
      text
        .replace("\t# The site compresses", `${lines}\n\t# The site compresses`)
        .replaceAll("127.0.0.1:4180", new URL(signIn).host),
    );

    const visitor = await fetch(`${url}/articles?page=2`, { redirect: "manual" });
    expect(visitor.status).toBe(302);
    const address = visitor.headers.get("location") ?? "";
    expect(address).toBe(`/oauth2/start?rd=${url}/articles?page=2`);
    expect(await (await fetch(url + address)).text()).toBe("Company sign-in");

    const headers = { cookie: "company=yes", authorization: "Bearer of-the-site" };
    const employee = await fetch(`${url}/rest/v1/articles`, { headers });
    expect(asked).toEqual({ uri: "/rest/v1/articles", token: undefined });
    expect(await employee.json()).toMatchObject({ name: "site", authorization: "Bearer of-the-site" });
    for (const probe of ["/healthz", "/readyz"]) expect((await fetch(url + probe)).status).toBe(200);
    expect((await fetch(`${url}/metrics`, { headers })).status).toBe(404);
  },
);
