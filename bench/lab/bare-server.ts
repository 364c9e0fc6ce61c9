// A baseline for pages: a node:http server that only sends bytes from memory.
import { createServer, type OutgoingHttpHeaders } from "node:http";

const { HEADERS = "", BODY = "", PORT } = process.env;
const headers = JSON.parse(HEADERS) as OutgoingHttpHeaders;
const bytes = Buffer.from(BODY, "base64");
const server = createServer((_, response) => response.writeHead(200, headers).end(bytes));
server.listen(Number(PORT), "127.0.0.1");
// The benchmark that started this server may die without stopping it.
process.on("disconnect", () => process.exit());
