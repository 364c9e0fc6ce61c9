import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";

/** What came of a request: an answer, or the way in which there was none. */
export interface Outcome {
  /** 0 when there was no answer. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  milliseconds: number;
  /** Node's code for a connection that failed. */
  failure: string | undefined;
}

/** What to ask. */
export interface Question {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Ends the request from this side. */
  signal?: AbortSignal;
  /** The address on this side. */
  from?: string;
}

/** Keeps connections between requests, as browsers do. */
export function createClient(origin: string, connections = Number.POSITIVE_INFINITY) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: "fifo" });
  const ask = (path: string, { method = "GET", headers = {}, body, signal, from }: Question = {}) =>
    new Promise<Outcome>((resolve) => {
      const begin = performance.now();
      const finish = (part: Partial<Outcome>) =>
        resolve({
          status: 0,
          headers: {},
          body: "",
          failure: undefined,
          ...part,
          milliseconds: performance.now() - begin,
        });
      const outgoing = request(
        new URL(path, origin),
        { agent, method, headers, ...(signal && { signal }), ...(from && { localAddress: from }) },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => chunks.push(chunk));
          answer.on("error", (error) => finish({ failure: codeOf(error) }));
          answer.on("end", () =>
            finish({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      outgoing.on("error", (error) => finish({ failure: codeOf(error) }));
      outgoing.end(body);
    });
  return { ask, close: () => agent.destroy() };
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : error.message;
}

/** All that comes back for these bytes until the connection ends or the time is up. */
export function exchange(port: number, bytes: string | Buffer, patience = 5_000): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(patience, () => socket.destroy());
    socket.setEncoding("latin1").on("data", (text: string) => {
      answer += text;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(answer));
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

/** Each worker goes on until its job returns false. */
export async function inParallel(workers: number, job: (worker: number) => Promise<boolean>): Promise<void> {
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (await job(worker));
    }),
  );
}

/** Sends at this pace, whatever comes back. */
export async function atRate<T>(
  perSecond: number,
  milliseconds: number,
  send: (at: number) => Promise<T>,
): Promise<T[]> {
  const begin = performance.now();
  const sent: Promise<T>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const passed = performance.now() - begin;
      const due = Math.floor((Math.min(passed, milliseconds) / 1000) * perSecond);
      while (sent.length < due) sent.push(send(sent.length));
      if (passed < milliseconds) return;
      clearInterval(timer);
      resolve();
    }, 5);
  });
  return Promise.all(sent);
}
