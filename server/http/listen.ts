import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { systemErrorMessage } from "../config/error-message.ts";
import { LIMITS } from "../config/limits.ts";
import { OperatorError } from "../config/operator-error.ts";
import { addressKey, plainAddress } from "./client-address.ts";
import type { Log } from "./log.ts";

type Handler = (request: Request, env: HttpBindings) => Response | Promise<Response>;

const SERVER_OPTIONS = {
  headersTimeout: 10_000,
  // Long enough to upload 5 MB over a slow mobile connection.
  requestTimeout: 120_000,
  // Must exceed the idle timeout of proxies (nginx 60 s, Caddy 120 s). Otherwise, a proxy can reuse a connection that
  // closes at this moment, and it then answers a write with 502.
  keepAliveTimeout: 130_000,
  // How often Node checks for requests that exceed `headersTimeout` or `requestTimeout`.
  connectionsCheckingInterval: 1_000,
  // Joins repeated `Host` headers with a comma, so that we can reject them. By default, Node drops all but the first.
  joinDuplicateHeaders: true,
};
const MAX_MS_WITHOUT_PROGRESS = 10_000;
/** A response to a client that reads less than this is cut off. */
const { bytesPerSecond: MIN_BYTES_PER_SECOND, periodMs: RATE_PERIOD_MS } = LIMITS.responseRate;
const RATE_CHECKS_PER_PERIOD = 4;

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
      watch(env);
      // RFC 9112 §3.2 requires status 400 for several `Host` headers, even if the request line contains the host.
      if (env.incoming.headers.host?.includes(",")) return new Response(null, { status: 400 });
      const response = await handler(request, env);
      if (isClosing) env.outgoing.shouldKeepAlive = false;
      return response;
    },
    { hostname: host },
  );
  const server = createServer(SERVER_OPTIONS, onRequest);
  const { watch, check } = watchResponses(RATE_PERIOD_MS);
  setInterval(check, RATE_PERIOD_MS / RATE_CHECKS_PER_PERIOD).unref();
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
    /** From now on, each connection ends with its response. A proxy then reuses none that `close` is about to end. */
    endConnections(): void {
      isClosing = true;
    },
    /** Resolves once all requests have been answered, or cut off after `maxMs`. */
    async close(maxMs = 8_000): Promise<void> {
      isClosing = true;
      const overdue = setTimeout(() => server.closeAllConnections(), maxMs);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(overdue);
    },
  };
}

/** A socket's internal handle. Only it counts the bytes that the operating system has accepted. */
interface SocketHandle {
  bytesWritten: number;
  writeQueueSize: number;
}

/** Returns the number of bytes that have left the process, or undefined if all bytes have. */
function bytesSent(socket: Socket & { _handle?: SocketHandle | null }): number | undefined {
  const { _handle: handle, writableLength } = socket;
  return handle && writableLength > 0 ? handle.bytesWritten - handle.writeQueueSize : undefined;
}

/**
 * Closes the connections of clients that send or read too slowly. Time without progress counts only while a body or response
 * is incomplete, because the client may be waiting for the server, for example until an email is sent.
 */
export function watchResponses(periodMs: number, minBytesPerSecond = MIN_BYTES_PER_SECOND) {
  const open = new Map<ServerResponse, { since: number; sent: number } | undefined>();

  function isTooSlow(response: ServerResponse, now: number): boolean {
    const sent = response.socket ? bytesSent(response.socket) : undefined;
    const start = open.get(response);
    if (sent === undefined || start === undefined) {
      open.set(response, sent === undefined ? undefined : { since: now, sent });
      return false;
    }
    if (now - start.since < periodMs) return false;
    open.set(response, { since: now, sent });
    return sent - start.sent < (minBytesPerSecond * (now - start.since)) / 1_000;
  }

  return {
    watch({ incoming, outgoing }: HttpBindings): void {
      const response = outgoing as ServerResponse;
      open.set(response, undefined);
      response.once("close", () => open.delete(response));
      // This listener replaces Node's default, which closes the connection after `server.timeout` without progress.
      response.on("timeout", (socket: Socket) => {
        if (!incoming.complete || socket.writableLength > 0) socket.destroy();
      });
    },
    check(): void {
      const now = performance.now();
      for (const response of open.keys()) if (isTooSlow(response, now)) response.destroy();
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
      `PORT ${port} on ${host} cannot be used (${systemErrorMessage(error)}): set another PORT or HOST.`,
    );
  });
}
