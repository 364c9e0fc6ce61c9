// What nothing can be faster than: node:http, which sends bytes that it has in memory.
import { createServer } from "node:http";

/** The answers of a bare server, by path. */
export type Answers = Record<string, { headers: Record<string, string>; body: Uint8Array }>;

process.once("message", (answers: Answers) => {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ""];
    if (!answer) {
      response.writeHead(404, { "Content-Length": 0 }).end();
      return;
    }
    response.writeHead(200, answer.headers).end(answer.body);
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.(typeof address === "object" ? address?.port : undefined);
  });
});
