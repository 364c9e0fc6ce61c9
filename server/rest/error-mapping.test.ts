// Tests how database errors become responses and log lines.
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { inProcess } from "../../tests/support/in-process.ts";
import { startTestRest } from "../../tests/support/rest.ts";
import { createPipeline, type PipelineDependencies } from "../api/pipeline.ts";
import {
  type Database,
  DatabaseUnavailableError,
  openDatabase,
  SessionEndedError,
} from "../postgres/database.ts";
import { toRestError } from "./error-mapping.ts";
import { RestError } from "./rest-error.ts";
import { createRest } from "./rest-routes.ts";

const rest = await startTestRest();
const ada = await rest.signedIn();
afterAll(() => rest.stop());

async function serveRest(parts: Partial<PipelineDependencies>, onWrite: () => void = () => undefined) {
  const { schemaCache } = rest;
  return inProcess(createRest({ pipeline: createPipeline({ ...rest, ...parts }), schemaCache, onWrite }));
}

function databaseError(code: string, more: object = {}) {
  const error = new pg.DatabaseError("message of the database", 0, "error");
  return Object.assign(error, { code, ...more });
}

test.each([
  ["23505", 409],
  ["23503", 409],
  ["23514", 400],
  ["23502", 400],
  ["22P02", 400],
  ["22003", 400],
  ["22021", 400],
  ["21000", 400],
  ["42501", 403],
  ["42883", 404],
  ["42P01", 404],
  ["42804", 400],
  ["42601", 400],
  ["54000", 400],
  ["PT413", 413],
  ["P0001", 400],
  ["25006", 405],
  ["28000", 403],
  ["40001", 503],
  ["40P01", 503],
  ["53100", 507],
  ["57014", 504],
  ["58030", 500],
  ["XX000", 500],
])("a database error with SQLSTATE %s gets status %d", (code, status) => {
  expect(toRestError(databaseError(code), "authenticated")).toMatchObject({ status, code });
});

test("a visitor without permission gets 401 instead of 403", () => {
  const response = toRestError(databaseError("42501"), "anon").getResponse();
  expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
});

test("error responses never contain a database error's detail, hint or context", () => {
  const details = {
    detail: "Failing row contains (secret)",
    hint: "secret",
    where: "secret",
    internalQuery: "secret",
  };
  for (const code of ["23514", "23505", "42501", "42601", "XX000"]) {
    expect(JSON.stringify(toRestError(databaseError(code, details), "anon"))).not.toContain("secret");
  }
});

test("database messages that may quote a statement are replaced", () => {
  for (const code of ["42601", "42P01", "XX000", "58030", "P0002"]) {
    expect(toRestError(databaseError(code), "anon").message).not.toContain("message of the database");
  }
});

test("an unexpected error reveals nothing, and each known error gets its own status", () => {
  expect(toRestError(new TypeError("secret"), "anon")).toMatchObject({
    status: 500,
    code: "PGRSTX00",
    message: "Internal server error",
  });
  expect(toRestError(new SessionEndedError("x"), "authenticated")).toMatchObject({
    status: 401,
    code: "PGRST303",
  });
  const unavailable = toRestError(new DatabaseUnavailableError("x"), "anon");
  expect(unavailable).toMatchObject({ status: 503, code: "PGRST001" });
  expect(unavailable.getResponse().headers.get("retry-after")).toBe("2");
  const restError = new RestError(404, "PGRST205", "x");
  expect(toRestError(restError, "anon")).toBe(restError);
});

/** Runs `work` while a table is locked, so that all other statements on the table wait. */
async function withLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  const client = await rest.admin.connect();
  await client.query("begin");
  await client.query(`lock table public.${table} in access exclusive mode`);
  try {
    return await work();
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** Returns the process ids of connections that are waiting for a lock. */
async function pidsWaitingForLock(): Promise<number[]> {
  const { rows } = await rest.admin.query<{ pid: number }>(
    "select pid from pg_stat_activity where wait_event_type = 'Lock'",
  );
  return rows.map(({ pid }) => pid);
}

test("a statement that runs too long is cancelled, and the next request succeeds", async () => {
  const database = openDatabase({
    connectionString: rest.connectionString,
    statementTimeoutMs: 2_000,
    size: 1,
  });
  const impatient = await serveRest({ database });
  const headers = { apikey: rest.keys.anonKey };
  const response = await withLocked("articles", async () => impatient.request("/articles", { headers }));
  expect(response.status).toBe(504);
  expect(await response.json()).toEqual({
    code: "57014",
    details: null,
    hint: null,
    message: "canceling statement due to statement timeout",
  });
  expect((await impatient.request("/articles", { headers })).status).toBe(200);
  await database.close();
});

test("a request gets 503 if it loses its database connection, and the next request succeeds", async () => {
  const error = vi.fn();
  const onWrite = vi.fn();
  const logged = await serveRest({ log: { ...rest.log, error } }, onWrite);
  const headers = { authorization: `Bearer ${ada.token}`, "content-type": "application/json" };
  const body = JSON.stringify({ profile_id: ada.id, name: "secret" });
  const response = await withLocked("skills", async () => {
    const lost = logged.request("/skills", { method: "POST", headers, body });
    const pids = await vi.waitUntil(async () => {
      const found = await pidsWaitingForLock();
      return found.length > 0 && found;
    }, 10_000);
    await rest.admin.query("select pg_terminate_backend(pid) from unnest($1::int[]) as pid", [pids]);
    return lost;
  });
  expect([response.status, response.headers.get("retry-after"), (await response.json()).code]).toEqual([
    503,
    "2",
    "PGRST001",
  ]);

  expect(error).toHaveBeenCalledOnce();
  expect(error.mock.calls[0]).toEqual([
    {
      requestId: undefined,
      status: 503,
      error: "DatabaseUnavailableError",
      reason: "57P01",
    },
    "rest_request.failed",
  ]);
  expect(onWrite).not.toHaveBeenCalled();
  expect((await logged.request("/skills", { method: "POST", headers, body })).status).toBe(201);
  expect(onWrite).toHaveBeenCalledOnce();
});

test("an unexpected error gets 500, and is logged with its stack but without its message", async () => {
  const error = vi.fn();
  let broken = false;
  const database: Database = {
    ...rest.database,
    read: (caller, statement) => {
      if (broken) throw new TypeError("secret");
      return rest.database.read(caller, statement);
    },
  };
  const unlucky = await serveRest({ database, log: { ...rest.log, error } });
  broken = true;
  const response = await unlucky.request("/articles", { headers: { apikey: rest.keys.anonKey } });
  expect([response.status, await response.json()]).toEqual([
    500,
    { code: "PGRSTX00", details: null, hint: null, message: "Internal server error" },
  ]);
  expect(error.mock.calls[0]?.[0]).toMatchObject({ status: 500, error: "TypeError" });
  expect(JSON.stringify(error.mock.calls)).toContain("error-mapping.test.ts");
  expect(JSON.stringify(error.mock.calls)).not.toContain("secret");
});
