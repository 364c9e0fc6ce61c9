import type { IncomingMessage, ServerResponse } from "node:http";
import type { LogAnswered } from "../http/access-log.ts";

/** So many different requests are remembered with their answers; the bytes are the page cache's own. */
const MOST_ANSWERS = 200;

/** How long the names are that `keyOf` looks for: most headers are passed over by that alone. */
const LENGTHS = new Set([4, 13, 14, 15, 17]);

/** An answer that is complete but for its request id and its date. */
export interface ReadyAnswer {
  /** Names and values in turn, as `writeHead` sends them without copying; the last is the id of the request. */
  headers: string[];
  body: Buffer;
  path: string;
  logAnswered: LogAnswered;
}

/**
 * Takes a request, returns what an answer to it depends on; undefined when it is one that only the site's whole
 * course can answer: another method, a condition (RFC 9110 §13), a body.
 */
function keyOf({ method, url, rawHeaders }: IncomingMessage): string | undefined {
  if (method !== "GET") return undefined;
  let host = "";
  let encodings = "";
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (!LENGTHS.has(name.length)) continue;
    switch (name.toLowerCase()) {
      case "host":
        if (host) return undefined;
        host = rawHeaders[at + 1] ?? "";
        break;
      case "accept-encoding":
        encodings += rawHeaders[at + 1];
        break;
      case "if-none-match":
      case "if-modified-since":
      case "content-length":
      case "transfer-encoding":
        return undefined;
    }
  }
  return `${host} ${url} ${encodings}`;
}

/** Answers of the page cache by request, for all who ask the same again: found without parsing anything. */
export class ReadyAnswers {
  readonly #answers = new Map<string, ReadyAnswer>();

  /** Takes a request, returns its answer if it is known. */
  find(request: IncomingMessage): ReadyAnswer | undefined {
    if (this.#answers.size === 0) return undefined;
    const key = keyOf(request);
    return key === undefined ? undefined : this.#answers.get(key);
  }

  /** Takes a request and its answer, which holds until the next `clear`. */
  keep(request: IncomingMessage, answer: ReadyAnswer): void {
    const key = keyOf(request);
    if (key === undefined) return;
    if (this.#answers.size >= MOST_ANSWERS) {
      for (const oldest of this.#answers.keys()) {
        this.#answers.delete(oldest);
        break;
      }
    }
    this.#answers.set(key, answer);
  }

  /** Forgets them all. */
  clear(): void {
    this.#answers.clear();
  }
}

/** Takes a response, an answer and the request's id, sends it. */
export function sendReady(response: ServerResponse, { headers, body }: ReadyAnswer, requestId: string): void {
  // `writeHead` has written them down when it returns, so that all requests may share one list.
  headers[headers.length - 1] = requestId;
  response.writeHead(200, headers);
  response.end(body);
}
