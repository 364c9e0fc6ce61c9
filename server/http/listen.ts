import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { OperatorError, reason } from "../config/operator-error.ts";

type Handler = (request: Request, env: HttpBindings) => Response | Promise<Response>;

const SERVER_OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than balancers keep a connection that rests (60 s), which else send a request into one that is closing.
  keepAliveTimeout: 65_000,
  // Node looks for what is overdue every 30 seconds unless told.
  connectionsCheckingInterval: 1_000,
  optimizeEmptyRequests: true,
  // Two `Host` headers are one with a comma then, where Node would drop the second one.
  joinDuplicateHeaders: true,
};
const SILENCE_MS = 60_000;
const MOST_CONNECTIONS = 5_000;
const FAREWELL_LOOK_MS = 20;
const LONGEST_CLOSE_MS = 8_000;
const SHORT_TURN_MS = 0.2;

const starting: Handler = () =>
  new Response("Techfolio is starting\n", { status: 503, headers: { "Retry-After": "1" } });

/** For `farewellMs` answers say `Connection: close` before idle connections are closed. Throws OperatorError. */
export async function listen(host: string, port: number, farewellMs = 1_000, longestDrainMs = 4_000) {
  let handler = starting;
  let isClosing = false;
  let portClosing: Promise<void> | undefined;
  const onRequest = getRequestListener(
    async (request, bindings) => {
      const env = bindings as HttpBindings;
      // RFC 9112 §3.2, which holds where the address names the host, too.
      if (env.incoming.headers.host?.includes(",")) return new Response(null, { status: 400 });
      if (portClosing !== undefined) await portClosing;
      const answer = await handler(request, env);
      if (isClosing) env.outgoing.shouldKeepAlive = false;
      return answer;
    },
    { hostname: host },
  );
  const server = createServer(SERVER_OPTIONS, onRequest);
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(SILENCE_MS);
  await bind(server, host, port);

  return {
    serve(next: Handler): void {
      handler = next;
    },
    /** Finishes the requests under way and resolves when the last connection is closed. */
    async close(): Promise<void> {
      isClosing = true;
      const end = setTimeout(() => server.closeAllConnections(), LONGEST_CLOSE_MS);
      await farewell(server, farewellMs);
      // Requests wait until the port is closed, so that the turns of the event loop get short.
      portClosing = emptyTurn(server, longestDrainMs);
      await portClosing;
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(end);
    },
  };
}

async function farewell(server: Server, longestMs: number): Promise<void> {
  const countConnections = promisify(server.getConnections.bind(server));
  const until = performance.now() + longestMs;
  // After a timer, and so not before the loop has accepted who came until now.
  do await sleep(FAREWELL_LOOK_MS);
  while ((await countConnections()) > 0 && performance.now() < until);
}

/** Closing the port resets what has arrived and was not accepted. After a short turn that accepted nothing, that is nothing. */
async function emptyTurn(server: Server, longestMs: number): Promise<void> {
  let hasAccepted = false;
  server.on("connection", () => {
    hasAccepted = true;
  });
  for (const until = performance.now() + longestMs; performance.now() < until; ) {
    hasAccepted = false;
    const began = performance.now();
    await turn();
    if (!hasAccepted && performance.now() - began < SHORT_TURN_MS) return;
  }
}

async function bind(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  await once(server, "listening").catch((error: unknown) => {
    throw new OperatorError(
      `PORT ${port} on ${host} cannot be used (${reason(error)}): set another PORT or HOST.`,
    );
  });
}
