import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { afterAll, expect, test } from "vitest";
import { age, makeMember, startTestDatabase } from "../../../tests/support/database.ts";
import { createLog } from "../../http/log.ts";
import { openDatabase } from "../../postgres/database.ts";
import { cleanUp, cleanUpRegularly } from "./cleanup.ts";
import { createLinkCode, createLinkToken } from "./link-tokens.ts";
import { refreshSession } from "./refresh-tokens.ts";
import { startSession } from "./sessions.ts";

const day = 24 * 3_600_000;

const database = await startTestDatabase();
afterAll(() => database.stop());

function transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  return database.database.transaction({ role: "supabase_auth_admin" }, work);
}

async function rows(): Promise<Record<string, number>> {
  const tables = ["sessions", "refresh_tokens", "one_time_tokens", "flow_state", "rate_limits"];
  const counts = tables.map((table) => `(select count(*)::int from auth.${table}) as ${table}`);
  return (await database.admin.query(`select ${counts.join(", ")}`)).rows[0];
}

test("a cleanup removes expired sessions, tokens, link codes and counters, but no others", async () => {
  const id = await makeMember(database.admin, "member@example.com");
  const { session } = await transaction((client) => startSession(client, id));
  const challenge = { method: "plain" as const, value: "v".repeat(43) };
  const user = { id, email: "member@example.com" };
  await transaction((client) => createLinkToken(client, user, "invite"));
  await transaction((client) => createLinkCode(client, user, challenge));
  await age(database.admin, day / 2);
  await database.admin.query("insert into auth.rate_limits values ('a', 1, $1)", [Date.now()]);
  const refreshed = await transaction((client) => refreshSession(client, session.refreshToken));
  expect(refreshed?.id).toBe(session.id);
  const full = { sessions: 1, refresh_tokens: 2, one_time_tokens: 1, flow_state: 1, rate_limits: 1 };
  expect(await rows()).toEqual(full);

  await cleanUp(transaction);
  expect(await rows()).toEqual(full);
  const cleanUpAfter = async (days: number) => {
    await age(database.admin, days * day);
    await database.admin.query("update auth.rate_limits set expire = expire - $1", [days * day]);
    await cleanUp(transaction);
  };
  await cleanUpAfter(1);
  expect(await rows()).toEqual({ ...full, flow_state: 0, rate_limits: 0 });
  await cleanUpAfter(7);
  expect(await rows()).toMatchObject({ sessions: 1, refresh_tokens: 2, one_time_tokens: 0 });
  await cleanUpAfter(23);
  expect(await rows()).toMatchObject({ sessions: 1, refresh_tokens: 1 });
  await cleanUpAfter(60);
  expect(await rows()).toMatchObject({ sessions: 0, refresh_tokens: 0 });
});

test("a cleanup deletes in batches until nothing expired is left", async () => {
  const id = await makeMember(database.admin, "busy@example.com");
  await database.admin.query(
    `insert into auth.sessions (id, user_id, created_at, updated_at)
     select gen_random_uuid(), $1, old, old from generate_series(1, 2500), (select now() - interval '100 days') as past (old)`,
    [id],
  );
  await database.admin.query(
    "insert into auth.sessions (id, user_id, updated_at) values ($1, $2, now() - interval '1 day')",
    [randomUUID(), id],
  );
  await cleanUp(transaction);
  expect(await rows()).toMatchObject({ sessions: 1 });
});

test("stopping the regular cleanup waits for its current batch, skips the others, and writes no log line", async () => {
  const lines: string[] = [];
  const open = openDatabase({ connectionString: database.connectionString });
  let started = 0;
  const cleanup = cleanUpRegularly(
    (work) => {
      started += 1;
      return open.transaction({ role: "supabase_auth_admin" }, work);
    },
    createLog((line) => lines.push(line)),
  );
  await cleanup.stop();
  await open.close();
  expect(started).toBe(1);
  expect(lines).toEqual([]);
});
