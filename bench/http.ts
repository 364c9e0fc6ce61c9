import { request } from "node:http";

/** An answer with the bytes as they were sent. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** The body is not decoded. */
export function getRaw(url: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        const named = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
        resolve({
          status: answer.statusCode ?? 0,
          headers: Object.fromEntries(named),
          body: Buffer.concat(parts),
        });
      });
    });
    asked.on("error", reject);
    asked.end();
  });
}

/** As a browser gets it: compressed with brotli. */
export function getPage(origin: string, path: string): Promise<RawAnswer> {
  return getRaw(`${origin}${path}`, { "Accept-Encoding": "br" });
}
