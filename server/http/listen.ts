import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { reason, StartError } from "../config/start-error.ts";

type Handler = (request: Request, env: HttpBindings) => Response | Promise<Response>;

export interface Listener {
  serve(handler: Handler): void;
  /** Finishes the requests under way and resolves when the last connection is closed. */
  close(): Promise<void>;
}

const SERVER_OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Node looks for what is overdue every 30 seconds unless told.
  connectionsCheckingInterval: 1_000,
  optimizeEmptyRequests: true,
};
const SILENCE_MS = 60_000;
const MOST_CONNECTIONS = 5_000;
/** How long answers say `Connection: close` before idle connections are closed. */
export const FAREWELL_MS = 1_000;
const LONGEST_CLOSE_MS = 8_000;
const SHORT_TURN_MS = 1;

const notServing = () => new Response(null, { status: 503 });

/** `starting` answers until `serve`. Throws StartError. */
export async function listen(host: string, port: number, starting: Handler = notServing): Promise<Listener> {
  let handler = starting;
  let isClosing = false;
  const onRequest = getRequestListener((request, env) => handler(request, env as HttpBindings), {
    hostname: host,
  });
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    if (isClosing) response.shouldKeepAlive = false;
    void onRequest(request, response);
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(SILENCE_MS);
  await bind(server, host, port);

  return {
    serve(next) {
      handler = next;
    },
    async close() {
      isClosing = true;
      const end = setTimeout(() => server.closeAllConnections(), LONGEST_CLOSE_MS);
      await sleep(FAREWELL_MS);
      await shortTurn();
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(end);
    },
  };
}

/** Closing the port resets what has arrived and was not read. After a short turn of the event loop that is nothing. */
async function shortTurn(): Promise<void> {
  for (const until = performance.now() + FAREWELL_MS; performance.now() < until; ) {
    const began = performance.now();
    await turn();
    if (performance.now() - began < SHORT_TURN_MS) return;
  }
}

async function bind(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  await once(server, "listening").catch((error: unknown) => {
    throw new StartError(complaint(error, host, port));
  });
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
