import { connect } from "node:net";

/** What a burst of equal requests came to. */
export interface Burst {
  requests: number;
  seconds: number;
}

interface Target {
  url: string;
  headers?: Record<string, string>;
}

function requestText({ url, headers = {} }: Target): string {
  const { host, pathname, search } = new URL(url);
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `GET ${pathname}${search} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
}

/** Where the first answer in these bytes ends, when all of it is there. */
function endOfAnswer(bytes: Buffer): number | undefined {
  const head = bytes.indexOf("\r\n\r\n");
  if (head === -1) return undefined;
  const text = bytes.toString("latin1", 0, head);
  if (!text.startsWith("HTTP/1.1 200 ")) throw new Error(`The server answers ${text.split("\r\n")[0]}`);
  const length = /^content-length: (\d+)$/im.exec(text)?.[1];
  if (length === undefined) throw new Error("The server does not say how long its answer is");
  const end = head + 4 + Number(length);
  return bytes.length >= end ? end : undefined;
}

/**
 * Each connection asks again once it has its answer. Equal requests have answers of equal length, so that all but the
 * first are only counted, which costs less than sending them.
 */
export async function burst(target: Target, requests: number, connections = 16): Promise<Burst> {
  const text = requestText(target);
  const { hostname, port } = new URL(target.url);
  let left = requests;
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, () => ask()));
  return { requests, seconds: (performance.now() - start) / 1000 };

  function ask(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let length: number | undefined;
      let first = Buffer.alloc(0);
      let received = 0;
      const next = () => {
        if (left-- > 0) socket.write(text);
        else socket.end();
      };
      socket.on("connect", next);
      socket.on("data", (data) => {
        received += data.length;
        if (length === undefined) first = Buffer.concat([first, data]);
        try {
          length ??= endOfAnswer(first);
        } catch (error) {
          socket.destroy(error instanceof Error ? error : undefined);
        }
        if (received === length) {
          received = 0;
          next();
        } else if (length !== undefined && received > length) {
          socket.destroy(new Error("An answer has another length than the first"));
        }
      });
      socket.on("error", reject);
      socket.on("close", () => resolve());
    });
  }
}
