// A baseline for the API: a Hono handler that runs one statement in a transaction.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import pg from "pg";
import { adminLogin } from "../../tests/support/data-dir.ts";

const { DATA_DIR = "", PORT, STATEMENT = "" } = process.env;
// Row-level security applies, but the role is set only once per connection, to keep the baseline cheap.
const pool = new pg.Pool({ ...(await adminLogin(DATA_DIR)), max: 10, options: "-c role=anon" });
const app = new Hono().get("/", async (context) => {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const { rows } = await client.query<{ body: string }>(STATEMENT, [3]);
    await client.query("commit");
    return context.body(rows[0]?.body ?? "", 200, { "Content-Type": "application/json" });
  } finally {
    client.release();
  }
});
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(PORT) });
// The benchmark that started this server may die without stopping it.
process.on("disconnect", () => process.exit());
