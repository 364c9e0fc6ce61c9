// Sends requests over a real socket, because fetch would reject malformed URLs and bodies.
import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { serve } from "@hono/node-server";
import { createClient } from "@supabase/supabase-js";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { startTestRest } from "../../tests/support/rest.ts";

const rest = await startTestRest();
const ada = await rest.signedIn();
const server = serve({ fetch: rest.app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
if (!server.listening) await once(server, "listening");
const port = (server.address() as AddressInfo).port;
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rest.stop();
});

/** Sends raw bytes on a new connection. Once the connection is closed, resolves to everything that the server sent. */
async function raw(...chunks: (string | Buffer)[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let response = "";
  socket.on("data", (data) => {
    response += data.toString("latin1");
  });
  socket.on("error", () => undefined);
  for (const chunk of chunks) socket.write(chunk);
  await once(socket, "close");
  return response;
}

const head = (line: string, ...more: string[]) =>
  `${[`${line} HTTP/1.1`, "Host: localhost", "Connection: close", `apikey: ${rest.keys.anonKey}`, ...more].join("\r\n")}\r\n\r\n`;

test("an unmodified supabase-js client can insert, read, count and delete rows, and receives errors", async () => {
  const client = createClient(`http://127.0.0.1:${port}`, rest.keys.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    accessToken: async () => ada.token,
  });
  const created = await client
    .from("articles")
    .insert({ author_id: ada.id, title: "é😀", content: "C" })
    .select()
    .single();
  expect(created).toMatchObject({ status: 201, error: null, data: { title: "é😀" } });
  const read = await client
    .from("articles")
    .select("title, profiles(id)", { count: "exact" })
    .eq("id", created.data.id);
  expect(read).toMatchObject({ count: 1, data: [{ title: "é😀", profiles: { id: ada.id } }] });
  expect((await client.from("articles").select("*", { head: true, count: "exact" })).count).toBe(1);
  expect((await client.from("articles").delete()).error?.code).toBe("21000");
  expect(await client.from("articles").delete().eq("id", created.data.id)).toMatchObject({
    status: 204,
    error: null,
  });
});

test.each([
  ["bytes outside ASCII", "400", Buffer.from("/rest/v1/articles?title=eq.\xff\xfe", "latin1")],
  ["a NUL", "400", "/rest/v1/articles?title=eq.%00"],
  ["invalid UTF-8", "400", "/rest/v1/articles?title=eq.%ff"],
  ["a parent folder (..)", "200", "/rest/v1/../v1/articles"],
  ["an escaped parent folder (..)", "404", "/rest/v1/%2e%2e/%2e%2e/etc/passwd"],
  ["two slashes", "404", "/rest/v1//articles"],
  ["more than 9,000 characters", "414", `/rest/v1/articles?title=eq.${"x".repeat(9000)}`],
  ["a fragment", "200", "/rest/v1/articles#x"],
])("a request with %s in its URL gets status %s", async (_, status, address) => {
  const [line = "", rest] = head("GET @").split("@");
  const response = await raw(
    Buffer.concat([Buffer.from(line), Buffer.from(address), Buffer.from(rest ?? "")]),
  );
  expect(response.split(" ")[1]).toBe(status);
});

const posted = () => ["Content-Type: application/json", `Authorization: Bearer ${ada.token}`];

test("an endless chunked body gets 413 while it is still being sent", async () => {
  const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
  const response = await raw(
    head("POST /rest/v1/articles", "Transfer-Encoding: chunked", ...posted()),
    ...Array<string>(40).fill(chunk),
  );
  expect(response.split("\r\n")[0]).toBe("HTTP/1.1 413 Payload Too Large");
  expect(response).toContain('"code":"PGRST102"');
});

test("a body with too large a Content-Length gets 413 before it is sent", async () => {
  const response = await raw(head("POST /rest/v1/articles", "Content-Length: 1000000000", ...posted()));
  expect(response.split(" ")[1]).toBe("413");
});

test("a request whose body ends early writes nothing and does not affect other requests", async () => {
  rest.onWrite.mockClear();
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(head("POST /rest/v1/articles", "Content-Length: 500", ...posted()));
  await new Promise<void>((resolve) => socket.write('{"title":"half', () => resolve()));
  socket.destroy();
  await once(socket, "close");
  expect((await raw(head("GET /rest/v1/articles"))).split(" ")[1]).toBe("200");
  expect(rest.onWrite).not.toHaveBeenCalled();
});

test.each([
  ["a visitor", undefined],
  ["a member", ada.token],
])("150 simultaneous reads by %s all succeed", async (_who, token) => {
  // Stop the clock: on a busy machine, the last reads would wait longer than a read may.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const client = createClient(`http://127.0.0.1:${port}`, rest.keys.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    ...(token !== undefined && { accessToken: async () => token }),
  });
  const reads = await Promise.all(
    Array.from({ length: 150 }, (_, index) =>
      index % 2 === 0
        ? client.from("articles").select("id, title, profiles(username)").limit(20)
        : client.rpc("search_people", { search_text: "a" }),
    ),
  );
  expect(reads.filter(({ status }) => status !== 200)).toEqual([]);
});

test("clients that disconnect before the response leave no open transaction", async () => {
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      const leave = new AbortController();
      const response = fetch(`http://127.0.0.1:${port}/rest/v1/articles`, {
        headers: { apikey: rest.keys.anonKey },
        signal: leave.signal,
      });
      setImmediate(() => leave.abort());
      await response.catch(() => undefined);
    }),
  );
  const open = () => rest.admin.query("select from pg_stat_activity where state like 'idle in transaction%'");
  await expect.poll(async () => (await open()).rowCount).toBe(0);
  expect((await rest.request("articles")).status).toBe(200);
});
