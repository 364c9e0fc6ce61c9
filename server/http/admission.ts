import type { Context, Handler, MiddlewareHandler } from "hono";
import { AdmissionError } from "./admission-error.ts";
import { addressKey, clientAddress } from "./client-address.ts";
import { createLane } from "./lane.ts";
import type { Log } from "./log.ts";
import { createUploads, type UploadMeter } from "./uploads.ts";

// Of the database's ten connections, statements and renderings leave two to the fixed pages. Sign-in has its own.
const createLanes = () => ({
  // They share the processor that also refuses: more at once would serve nobody sooner.
  renderings: createLane({
    atOnce: 3,
    atOncePerClient: 2,
    waiting: 64,
    waitingPerClient: 24,
    longestWaitMs: 2_500,
  }),
  statements: createLane({
    atOnce: 5,
    atOncePerClient: 3,
    waiting: 256,
    waitingPerClient: 64,
    longestWaitMs: 2_500,
  }),
  // bcrypt takes libuv's four threads, which also read files: one stays free.
  accounts: createLane({
    atOnce: 3,
    atOncePerClient: 2,
    waiting: 64,
    waitingPerClient: 32,
    longestWaitMs: 5_000,
  }),
  cards: createLane({
    atOnce: 2,
    atOncePerClient: 1,
    waiting: 64,
    waitingPerClient: 16,
    longestWaitMs: 8_000,
  }),
});

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

type Lanes = ReturnType<typeof createLanes>;

interface AdmissionParts {
  trustedProxies: number;
  isDiskFull: (() => boolean | Promise<boolean>) | undefined;
  log: Log;
}

interface Admission extends AdmissionParts {
  lanes: Lanes;
  meterUpload(client: string): UploadMeter;
}

declare module "hono" {
  interface ContextVariableMap {
    admission?: Admission;
  }
}

/** Carries the limits to the routes that name them. */
export function admission(parts: AdmissionParts): MiddlewareHandler {
  const shared = { ...parts, lanes: createLanes(), meterUpload: createUploads() };
  let isProxyReported = parts.trustedProxies > 0;
  return async (context, next) => {
    if (!isProxyReported && context.req.header("X-Forwarded-For") !== undefined) {
      isProxyReported = true;
      parts.log.warn({ reason: "All visitors share one address: set TRUST_PROXY" }, "proxy.untrusted");
    }
    context.set("admission", shared);
    return next();
  };
}

/** Throws AdmissionError. As a middleware it stands behind what reads the body. */
export type Admit = <T>(context: Context, work: () => Promise<T>) => Promise<T>;

function lane(name: keyof Lanes): Admit {
  return (context, work) => {
    const { admission } = context.var;
    return admission ? admission.lanes[name](clientOf(context, admission), work) : work();
  };
}

export const statement = lane("statements");
export const account = lane("accounts");
export const render = lane("renderings");
export const card = lane("cards");

function clientOf(context: Context, { trustedProxies }: Admission): string {
  return addressKey(clientAddress(context, trustedProxies));
}

/** Before anything else of a mount that writes. Throws AdmissionError. */
export const diskSpace: MiddlewareHandler = async (context, next) => {
  if (!READS.has(context.req.method) && (await context.var.admission?.isDiskFull?.()))
    throw new AdmissionError(507, "The disk of the server is full", 10);
  await next();
};

/** Reads at most `mostBytes` of the body and counts what has arrived. Comes behind what decides who may write. */
export function upload(mostBytes: number, tooLarge: Handler): MiddlewareHandler {
  return async (context, next) => {
    const { method, headers, url } = context.req.raw;
    if (Number(headers.get("content-length")) > mostBytes) return tooLarge(context, next);
    const { admission } = context.var;
    using meter = admission?.meterUpload(clientOf(context, admission));
    // Not read before: a body that was begun and left ends the connection.
    const bytes = await collect(context.req.raw.body, mostBytes, meter);
    if (bytes === "too large") return await tooLarge(context, next);
    if (bytes === "broken off") return context.body(null, 400);
    context.req.raw = new Request(url, { method, headers, body: bytes });
    return await next();
  };
}

async function collect(
  body: ReadableStream<Uint8Array> | null,
  mostBytes: number,
  meter: UploadMeter | undefined,
): Promise<Buffer<ArrayBuffer> | "too large" | "broken off"> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength;
      if (size > mostBytes) return "too large";
      meter?.add(chunk.byteLength);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AdmissionError) throw error;
    return "broken off";
  }
  return Buffer.concat(chunks);
}
