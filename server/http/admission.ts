import type { IncomingMessage, ServerResponse } from "node:http";
import type { RunningBackend } from "../backends/types.ts";
import type { Pages } from "../pages/pages.ts";
import type { Log } from "./log.ts";
import { CLOSED_POLICY } from "./security-headers.ts";

/**
 * Takes a request that has just arrived and its answer, returns whether it has been answered already: with a page
 * that lay ready, or by being turned away. It costs next to nothing, so that a server with too much to do has time for
 * the rest.
 */
export type Door = (request: IncomingMessage, response: ServerResponse) => boolean;

interface DoorParts {
  pages: Pick<Pages, "isTooMuch">;
  backend: Pick<RunningBackend, "isCrowded" | "isDiskFull">;
  headers: Record<string, string>;
  log: Log;
  /** Told the status of each refusal. */
  onRefused(status: number): void;
}

interface Refusal {
  status: 429 | 503 | 507;
  retryAfter: number;
  message: string;
}

const busy: Refusal = { status: 503, retryAfter: 1, message: "Too many requests at this moment" };
// Not for lack of the server: somebody sends more at once than anybody needs to.
const crowdedByBodies: Refusal = {
  status: 429,
  retryAfter: 2,
  message: "Too many large requests at this moment",
};
const full: Refusal = { status: 507, retryAfter: 10, message: "The disk of the server is full" };
// auth-js ends a session on a status that it does not know, and tries again after a 503.
const fullForAuth: Refusal = { ...full, status: 503 };

const reads = new Set(["GET", "HEAD", "OPTIONS"]);
// Bodies up to this size are nothing to speak of, however many arrive. Larger ones share a fixed amount of memory.
const smallBody = 16 * 1024;
const largestBody = 1024 * 1024;
const mostBodies = 32 * 1024 * 1024;
const reportEvery = 1_000;

/** Takes what it watches, returns the door that turns away what is too much. */
export function createDoor({ pages, backend, headers, log, onRefused }: DoorParts): Door {
  const report = createReport(log);
  let bodies = 0;

  function refusalOf(request: IncomingMessage, body: number): Refusal | undefined {
    const path = request.url ?? "";
    const isAuth = path.startsWith("/auth/v1/");
    if (!isAuth && !path.startsWith("/rest/v1/")) return pages.isTooMuch(request) ? busy : undefined;
    if (backend.isCrowded()) return busy;
    if (bodies + body > mostBodies) return crowdedByBodies;
    if (!backend.isDiskFull() || reads.has(request.method ?? "")) return undefined;
    return isAuth ? fullForAuth : full;
  }

  return (request, response) => {
    const body = bodySize(request);
    const refusal = refusalOf(request, body);
    if (refusal !== undefined) {
      report(refusal);
      onRefused(refusal.status);
      refuse(response, refusal, headers);
      return true;
    }
    if (body > 0) {
      bodies += body;
      response.once("close", () => {
        bodies -= body;
      });
    }
    return false;
  };
}

/** How much of the memory for large bodies a request may come to need; nothing for a small one. */
function bodySize({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return largestBody;
  const announced = Number(headers["content-length"] ?? 0);
  return announced > smallBody ? Math.min(announced, largestBody) : 0;
}

/** In the fields of both protocols: PostgREST's `code`, `message`, GoTrue's `error_code`, `msg`. */
function refuse(response: ServerResponse, refusal: Refusal, headers: Record<string, string>): void {
  const { status, retryAfter, message } = refusal;
  const body = JSON.stringify({
    code: String(status),
    details: null,
    error_code: "request_refused",
    hint: "Try again later",
    message,
    msg: message,
  });
  response.writeHead(status, {
    ...headers,
    "Content-Security-Policy": CLOSED_POLICY,
    "Cache-Control": "no-store",
    "Content-Length": Buffer.byteLength(body),
    "Content-Type": "application/json; charset=utf-8",
    "Retry-After": retryAfter,
  });
  response.end(body);
}

/** Under a flood a line for each request would be the next flood: one a second tells how many there were. */
function createReport(log: Log): (refusal: Refusal) => void {
  const counts = new Map<string, number>();
  const tell = () => {
    log.warn("requests refused", Object.fromEntries(counts));
    counts.clear();
  };
  return ({ message }) => {
    if (counts.size === 0) setTimeout(tell, reportEvery).unref();
    counts.set(message, (counts.get(message) ?? 0) + 1);
  };
}
