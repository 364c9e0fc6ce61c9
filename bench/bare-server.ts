// node:http sending bytes from memory: what nothing in Node can beat.
import { createServer, type OutgoingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type BareResponses = Record<string, { headers: OutgoingHttpHeaders; body: Uint8Array }>;

process.once("message", (responses: BareResponses) => {
  const server = createServer((request, response) => {
    const found = responses[request.url ?? ""];
    if (found) response.writeHead(200, found.headers).end(found.body);
    else response.writeHead(404, { "Content-Length": 0 }).end();
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
});
