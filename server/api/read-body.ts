import { setImmediate } from "node:timers/promises";
import { LIMITS } from "../config/limits.ts";
import { ClientDisconnectedError } from "../http/client-disconnected-error.ts";
import { BodyTooLargeError, BodyTooSlowError } from "./api-errors.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Returns the size of the body that the request announces. Returns undefined if it doesn't, as with a chunked body.
 * Throws BodyTooLargeError.
 */
export function announcedSize(headers: Headers, maxBytes: number): number | undefined {
  const header = headers.get("content-length");
  if (header === null) return undefined;
  const size = Number(header);
  if (size > maxBytes) throw new BodyTooLargeError(maxBytes);
  return size;
}

/**
 * Reads the body. Throws BodyTooLargeError, BodyTooSlowError if less than `bytesPerSecond` arrive, and
 * ClientDisconnectedError if the client closes the connection first.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  { graceMs, bytesPerSecond }: { graceMs: number; bytesPerSecond: number } = LIMITS.bodies,
): Promise<Bytes> {
  const size = announcedSize(request.headers, maxBytes);
  const tooSlow = Promise.withResolvers<never>();
  const maxMs = graceMs + ((size ?? maxBytes) / bytesPerSecond) * 1_000;
  const timer = setTimeout(() => tooSlow.reject(new BodyTooSlowError()), maxMs);
  // The HTTP parser reads exactly as many bytes as Content-Length announces.
  const reading = size === undefined ? readChunks(request.body, maxBytes) : readWhole(request);
  // If reading fails after the timeout, an unhandled rejection would crash the process.
  reading.catch(() => undefined);
  try {
    return await Promise.race([reading, tooSlow.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Drops the body of a refused request, unless something has already read it. Never throws. */
export async function dropBody(request: Request): Promise<void> {
  if (request.body !== null && !request.bodyUsed) await dropRest(request.body.getReader());
}

/**
 * Reads and drops the rest of a body while it keeps arriving. If the server responded and closed the connection
 * immediately, a client that is still sending would lose the response.
 */
async function dropRest(reader: ReadableStreamDefaultReader<Bytes>): Promise<void> {
  const { bytes, maxMs, idleMs } = LIMITS.bodies.dropped;
  const idle = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => idle.resolve(undefined), idleMs);
  const deadline = performance.now() + maxMs;
  let size = 0;
  try {
    while (size <= bytes && performance.now() < deadline) {
      const chunk = await Promise.race([reader.read(), idle.promise]);
      if (chunk === undefined || chunk.done) return;
      size += chunk.value.length;
      timer.refresh();
      // Otherwise, libuv reads 32 chunks of each connection before it continues with other clients' requests.
      await setImmediate();
    }
  } catch {
    // The client has disconnected.
  } finally {
    clearTimeout(timer);
  }
}

async function readWhole(request: Request): Promise<Bytes> {
  return new Uint8Array(await request.arrayBuffer().catch(disconnected));
}

async function readChunks(body: ReadableStream<Bytes> | null, maxBytes: number): Promise<Bytes> {
  if (body === null) return new Uint8Array();
  const chunks: Bytes[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { value, done } = await reader.read().catch(disconnected);
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > maxBytes) {
      await dropRest(reader);
      throw new BodyTooLargeError(maxBytes);
    }
    chunks.push(value);
  }
}

/** Reading fails only if the connection does. */
function disconnected(cause: unknown): never {
  throw new ClientDisconnectedError("The body is incomplete", { cause });
}
