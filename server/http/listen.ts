import { createServer, type Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { reason, StartError } from "../config/start-error.ts";
import type { Door } from "./admission.ts";

type Handler = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/** A port that is ours. */
export interface Listener {
  /**
   * Takes who answers from now on, and the door that each request meets before. Until then every request is told to
   * come again in a second.
   */
  serve(handler: Handler, door: Door): void;
  /** Takes no more connections, finishes the requests under way, returns when the last connection is closed. */
  close(): Promise<void>;
}

const serverOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Node looks for what is overdue every 30 seconds unless told.
  connectionsCheckingInterval: 1_000,
  // A request without a body, as most are, needs no stream for it.
  optimizeEmptyRequests: true,
};
// A connection on which nothing moves at all: somebody who does not read his answer.
const silence = 60_000;
const mostConnections = 5_000;
// After the end has begun: how long no request must have come until idle connections are closed, and when all are.
const farewell = 1_500;
const patience = 8_000;

/**
 * Takes where to listen and which headers the answers until `serve` carry, returns the listener. Throws StartError
 * when it cannot be had.
 */
export async function listen(
  host: string,
  port: number,
  headers: Record<string, string> = {},
): Promise<Listener> {
  let answer: Handler = () =>
    new Response("Techfolio is starting\n", { status: 503, headers: { ...headers, "Retry-After": "1" } });
  let answersAtDoor: Door = () => false;
  let closing = false;
  let lastRequest = 0;
  const onRequest = getRequestListener((request, env) => answer(request, env as HttpBindings), {
    hostname: host,
  });
  const server = createServer(serverOptions, (request, response) => {
    if (closing) {
      lastRequest = performance.now();
      response.shouldKeepAlive = false;
    }
    if (!answersAtDoor(request, response)) void onRequest(request, response);
  });
  server.maxConnections = mostConnections;
  server.setTimeout(silence);
  await bind(server, host, port);

  return {
    serve(handler, door) {
      answer = handler;
      answersAtDoor = door;
    },
    async close() {
      closing = true;
      const closed = new Promise<void>((resolve) => server.once("close", resolve));
      await quietTurn();
      // http.Server's own close() would cut idle connections at once, and with them a request on its way. So
      // only the listening ends here; each kept connection is closed by its next answer, or when it stays silent.
      NetServer.prototype.close.call(server);
      lastRequest = performance.now();
      const end = setTimeout(() => server.closeAllConnections(), patience);
      const idle = setInterval(async () => {
        await quietTurn();
        if (performance.now() - lastRequest > farewell) server.closeIdleConnections();
      }, 50);
      await closed;
      clearInterval(idle);
      clearTimeout(end);
    },
  };
}

/**
 * Returns right after the system was asked for new connections and requests, in a turn of the event loop that had
 * little else to do: what arrives while it is busy waits unseen, and would be reset by closing.
 */
async function quietTurn(): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const begin = performance.now();
    await turn();
    if (performance.now() - begin < 1) return;
  }
}

async function bind(server: Server, host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (error) {
    throw new StartError(complaint(error, host, port));
  }
}

function complaint(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return `PORT ${port} on ${host} is already taken: stop what listens there, or set another PORT.`;
  }
  if (code === "EACCES") return `PORT ${port} may not be used by this user: set a PORT above 1023.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return `HOST ${host} is not an address of this machine.`;
  }
  return `HOST ${host} and PORT ${port} cannot be listened on: ${reason(error)}.`;
}
