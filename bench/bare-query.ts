// The least that can answer with rows: a Hono handler with one transaction around one statement.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import pg from "pg";
import { adminLogin } from "../tests/support/data-dir.ts";

/** Which database is asked, and what. */
export interface BareQuery {
  dataDir: string;
  statement: string;
}

process.once("message", async ({ dataDir, statement }: BareQuery) => {
  const pool = new pg.Pool({
    ...(await adminLogin(dataDir)),
    max: 10,
  });
  // The role whose rows and policies the statement meets; once per connection, so that no request pays for it.
  pool.on("connect", (client) => {
    client.query("set role anon").catch(() => undefined);
  });
  const app = new Hono().get("/", async (context) => {
    const client = await pool.connect();
    try {
      await client.query("begin");
      const { rows } = await client.query<{ body: string }>({ text: statement, values: [3] });
      await client.query("commit");
      const body = rows[0]?.body ?? "";
      return context.body(body, 200, {
        "Content-Type": "application/json",
        "Content-Length": String(Buffer.byteLength(body)),
      });
    } finally {
      client.release();
    }
  });
  serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => process.send?.(port));
});
