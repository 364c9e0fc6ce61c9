import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";

/** A response, or how the request failed. */
export interface Outcome {
  /** The HTTP status, or 0 without a response. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  milliseconds: number;
  /** If the request failed: Node's error code or, without one, the error's message. */
  failure: string | undefined;
}

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal?: AbortSignal;
  /** The local address to connect from. The site treats each address as a different client. */
  from?: string;
}

export type Client = ReturnType<typeof createClient>;

/** Longer than any deadline of the server, and shorter than the timeout of a test. */
const SILENCE_MS = 45_000;

/** A client that reuses connections, as browsers do. `ask` also resolves if the request fails or gets no response. */
export function createClient(origin: string, connections = Number.POSITIVE_INFINITY) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: "fifo" });
  const ask = (path: string, { method = "GET", headers = {}, body, signal, from }: RequestOptions = {}) =>
    new Promise<Outcome>((resolve) => {
      const start = performance.now();
      const finish = (part: Partial<Outcome>) =>
        resolve({
          status: 0,
          headers: {},
          body: "",
          failure: undefined,
          ...part,
          milliseconds: performance.now() - start,
        });
      const outgoing = request(
        new URL(path, origin),
        {
          agent,
          method,
          headers,
          timeout: SILENCE_MS,
          ...(signal && { signal }),
          ...(from && { localAddress: from }),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", (error) => finish({ failure: codeOf(error) }));
          response.on("end", () =>
            finish({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      outgoing.on("error", (error) => finish({ failure: codeOf(error) }));
      outgoing.on("timeout", () => outgoing.destroy(new Error(`silent for ${SILENCE_MS} ms`)));
      outgoing.end(body);
    });
  return { ask, close: () => agent.destroy() };
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : error.message;
}

/** Sends the bytes on a new connection. Returns what arrives until the connection closes or is idle for `timeoutMs`. */
export function exchange(port: number, bytes: string | Buffer, timeoutMs = 5_000): Promise<string> {
  return new Promise((resolve) => {
    let response = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.setEncoding("latin1").on("data", (text: string) => {
      response += text;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(response));
  });
}

export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.off("error", reject);
      socket.on("error", () => undefined);
      resolve(socket);
    });
    socket.once("error", reject);
  });
}

/** Starts workers that each repeat the job until it returns false. */
export async function inParallel(workers: number, job: (worker: number) => Promise<boolean>): Promise<void> {
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (await job(worker));
    }),
  );
}

/** Sends requests at a constant rate, whether or not earlier ones have been answered. Resolves to all results. */
export async function atRate<T>(
  perSecond: number,
  milliseconds: number,
  send: (at: number) => Promise<T>,
): Promise<T[]> {
  const start = performance.now();
  const sent: Promise<T>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const passed = performance.now() - start;
      const due = Math.floor((Math.min(passed, milliseconds) / 1000) * perSecond);
      while (sent.length < due) sent.push(send(sent.length));
      if (passed < milliseconds) return;
      clearInterval(timer);
      resolve();
    }, 5);
  });
  return Promise.all(sent);
}
