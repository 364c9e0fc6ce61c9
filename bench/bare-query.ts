// The least that can answer with rows: a Hono handler with one transaction around one statement.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import pg from "pg";
import { adminLogin } from "../tests/support/data-dir.ts";

export interface BareQuery {
  dataDir: string;
  statement: string;
}

process.once("message", async ({ dataDir, statement }: BareQuery) => {
  const pool = new pg.Pool({ ...(await adminLogin(dataDir)), max: 10 });
  // Row-level security applies. Once per connection, so that no request pays for it.
  pool.on("connect", (client) => void client.query("set role anon"));
  const app = new Hono().get("/", async (context) => {
    const client = await pool.connect();
    try {
      await client.query("begin");
      const { rows } = await client.query<{ body: string }>(statement, [3]);
      await client.query("commit");
      return context.body(rows[0]?.body ?? "", 200, { "Content-Type": "application/json" });
    } finally {
      client.release();
    }
  });
  serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => process.send?.(port));
});
