import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { OperatorError, reason } from "../config/operator-error.ts";
import { addressKey, plainAddress } from "./client-address.ts";
import type { Log } from "./log.ts";

type Handler = (request: Request, env: HttpBindings) => Response | Promise<Response>;

const SERVER_OPTIONS = {
  headersTimeout: 10_000,
  // Long enough to upload 5 MB over a slow mobile connection.
  requestTimeout: 120_000,
  // Must exceed the load balancer's idle timeout (60 s), or the balancer may reuse a closing connection.
  keepAliveTimeout: 65_000,
  // How often Node checks for requests that exceed `headersTimeout` or `requestTimeout`.
  connectionsCheckingInterval: 1_000,
  // Joins repeated `Host` headers with a comma, so that we can reject them. By default, Node drops all but the first.
  joinDuplicateHeaders: true,
};
const MAX_MS_WITHOUT_PROGRESS = 10_000;
const MAX_CLOSE_MS = 8_000;

const MAX_CONNECTIONS = 5_000;
/** File descriptors reserved for the database, the workers, static files and the log. */
const RESERVED_FILES = 256;
const MAX_FRACTION_PER_ADDRESS = 1 / 4;

const starting: Handler = () =>
  new Response("Techfolio is starting\n", { status: 503, headers: { "Retry-After": "1" } });

/** Starts a server that responds with 503 until `serve` is called. Throws OperatorError if the port cannot be used. */
export async function listen(host: string, port: number, trustedProxies = 0, log?: Log) {
  let handler = starting;
  let isClosing = false;
  const onRequest = getRequestListener(
    async (request, bindings) => {
      const env = bindings as HttpBindings;
      // RFC 9112 §3.2 requires status 400 for several `Host` headers, even if the request line contains the host.
      if (env.incoming.headers.host?.includes(",")) return new Response(null, { status: 400 });
      const response = await handler(request, env);
      if (isClosing) env.outgoing.shouldKeepAlive = false;
      return response;
    },
    { hostname: host },
  );
  const server = createServer(SERVER_OPTIONS, onRequest);
  server.timeout = MAX_MS_WITHOUT_PROGRESS;
  server.maxConnections = Math.max(1, Math.min(MAX_CONNECTIONS, maxOpenFiles() - RESERVED_FILES));
  // Limit the connections per address only without a proxy: behind one, all connections have the proxy's address.
  if (trustedProxies === 0)
    limitConnections(server, Math.ceil(server.maxConnections * MAX_FRACTION_PER_ADDRESS));
  await bind(server, host, port);
  // An unhandled `error` event would crash the process. Node can emit one if it runs out of file descriptors.
  server.on("error", (error) => log?.error({ reason: error.message }, "server.failed"));

  return {
    serve(next: Handler): void {
      handler = next;
    },
    /** Resolves once all requests have been answered, or cut off after MAX_CLOSE_MS. */
    async close(): Promise<void> {
      isClosing = true;
      const overdue = setTimeout(() => server.closeAllConnections(), MAX_CLOSE_MS);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(overdue);
    },
  };
}

function maxOpenFiles(): number {
  const report: unknown = Object.assign(process.report, { excludeNetwork: true }).getReport();
  const { userLimits } = report as { userLimits?: { open_files?: { soft?: unknown } } };
  const limit = Number(userLimits?.open_files?.soft);
  // NaN if the limit is "unlimited" or if the operating system doesn't report it.
  return Number.isNaN(limit) ? Number.POSITIVE_INFINITY : limit;
}

function limitConnections(server: Server, maxPerAddress: number): void {
  const counts = new Map<string, number>();
  server.on("connection", (socket) => {
    const address = addressKey(plainAddress(socket.remoteAddress));
    const count = counts.get(address) ?? 0;
    if (count >= maxPerAddress) return void socket.destroy();
    counts.set(address, count + 1);
    socket.once("close", () => {
      const remaining = (counts.get(address) ?? 1) - 1;
      if (remaining > 0) counts.set(address, remaining);
      else counts.delete(address);
    });
  });
}

async function bind(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  await once(server, "listening").catch((error: unknown) => {
    throw new OperatorError(
      `PORT ${port} on ${host} cannot be used (${reason(error)}): set another PORT or HOST.`,
    );
  });
}
