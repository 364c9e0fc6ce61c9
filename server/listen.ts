import { createServer, type Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { reason, StartError } from "./start-error.ts";

type Handler = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/** A port that is ours. */
export interface Listener {
  /** Takes who answers from now on. Until then every request is told to come again in a second. */
  serve(handler: Handler): void;
  /** Takes no more connections, finishes the requests under way, returns when the last connection is closed. */
  close(): Promise<void>;
}

const headersTimeout = 10_000;
const requestTimeout = 30_000;
// How long a kept connection may still bring a request after the end has begun, and when it is cut off.
const farewell = 500;
const patience = 8_000;

/** Takes where to listen, returns the listener. Throws StartError when it cannot be had. */
export async function listen(host: string, port: number): Promise<Listener> {
  let answer: Handler = () =>
    new Response("Techfolio is starting\n", { status: 503, headers: { "Retry-After": "1" } });
  let closing = false;
  const server = createAdaptorServer({
    fetch: (request, env) => answer(request, env as HttpBindings),
    hostname: host,
    serverOptions: { headersTimeout, requestTimeout },
    createServer,
  }) as Server;
  server.prependListener("request", (_request, response) => {
    if (closing) response.shouldKeepAlive = false;
  });
  await bind(server, host, port);

  return {
    serve(handler) {
      answer = handler;
    },
    async close() {
      closing = true;
      const closed = new Promise<void>((resolve) => server.once("close", resolve));
      // http.Server's own close() would cut idle connections at once, and with them a request on its way. So
      // only the listening ends here; each kept connection is closed by its next answer, or after the farewell.
      NetServer.prototype.close.call(server);
      await Promise.race([closed, sleep(farewell)]);
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const end = setTimeout(() => server.closeAllConnections(), patience - farewell);
      await closed;
      clearInterval(idle);
      clearTimeout(end);
    },
  };
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
