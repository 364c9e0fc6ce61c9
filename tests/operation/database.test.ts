import { EventEmitter, once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import pg from "pg";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { createPipeline } from "../../server/api/pipeline.ts";
import { serveBuiltIn } from "../../server/backends/built-in.ts";
import type { BackendEvents } from "../../server/backends/types.ts";
import { readSettings } from "../../server/config/settings.ts";
import {
  type AuthContext,
  type Database,
  DatabaseUnavailableError,
  openDatabase,
  SessionEndedError,
} from "../../server/postgres/database.ts";
import { createRest } from "../../server/rest/rest-routes.ts";
import { readSchemaCache } from "../../server/rest/schema-cache.ts";
import { makeMember, startTestDatabase } from "../support/database.ts";
import { IN_PROCESS, inProcess } from "../support/in-process.ts";

const db = await startTestDatabase();
afterAll(() => db.stop());

test("a transaction runs with its caller's role and claims, and the next one on the same connection does not inherit them", async () => {
  const member = await makeMember(db.admin);
  const inside = await db.database.transaction(
    { role: "authenticated", claims: { role: "authenticated", sub: member } },
    async (client) => {
      const result = await client.query("select current_user::text as role, auth.uid()::text as uid");
      return result.rows[0];
    },
  );
  expect(inside).toEqual({ role: "authenticated", uid: member });

  const single = openDatabase({ connectionString: db.connectionString, size: 1 });
  await single.transaction({ role: "service_role" }, (client) => client.query("select 1"));
  const anon = await single.transaction({ role: "anon" }, async (client) => {
    const result = await client.query(
      "select current_user::text as role, auth.uid() as uid, auth.role() as claim",
    );
    return result.rows[0];
  });
  expect(anon).toEqual({ role: "anon", uid: null, claim: "anon" });
  await single.close();
});

test("a transaction rolls back and rejects with the error that its code throws", async () => {
  const single = openDatabase({ connectionString: db.connectionString, size: 1 });
  const member = await makeMember(db.admin);
  const failing = single.transaction({ role: "service_role" }, async (client) => {
    await client.query("update public.profiles set bio = 'left behind' where id = $1", [member]);
    throw new Error("on purpose");
  });
  await expect(failing).rejects.toThrow("on purpose");
  const bio = await single.transaction({ role: "anon" }, async (client) => {
    const result = await client.query("select bio from public.profiles where id = $1", [member]);
    return result.rows[0];
  });
  expect(bio).toEqual({ bio: null });
  await single.close();
});

test("a transaction fails even if its code ignores a statement's error, because it was rolled back", async () => {
  const swallowing = db.database.transaction({ role: "anon" }, async (client) => {
    await client.query("select 1 / 0").catch(() => undefined);
    return "done";
  });
  await expect(swallowing).rejects.toThrow("rolled back");
});

test("two transactions that wait for each other both succeed, because PostgreSQL cancels one and it runs again", async () => {
  const members = [await makeMember(db.admin), await makeMember(db.admin)] as const;
  // PostgreSQL looks for a deadlock after a second by default.
  await db.admin.query("alter database postgres set deadlock_timeout = '100ms'");
  onTestFinished(async () => void (await db.admin.query("alter database postgres reset deadlock_timeout")));
  const impatient = openDatabase({ connectionString: db.connectionString });
  onTestFinished(() => impatient.close());
  let holding = 0;
  const bothHold = Promise.withResolvers<void>();
  let attempts = 0;
  const write = (ids: readonly string[]) =>
    impatient.transaction({ role: "service_role" }, async (client) => {
      attempts += 1;
      // On a slow machine, the repeated transaction could otherwise lock its first row before the other one continues.
      if (attempts === 3) await Promise.race(writes);
      for (const id of ids) {
        await client.query("update public.profiles set bio = coalesce(bio, '') || '+' where id = $1", [id]);
        holding += 1;
        if (holding === 2) bothHold.resolve();
        await bothHold.promise;
      }
    });
  const writes = [write(members), write(members.toReversed())];
  await Promise.all(writes);
  expect(attempts).toBe(3);
  const { rows } = await db.admin.query("select bio from public.profiles where id = any ($1)", [members]);
  expect(rows, "each transaction has written once").toEqual([{ bio: "++" }, { bio: "++" }]);
});

test("the role that serves requests isn't a superuser, cannot bypass policies or create roles, and owns no tables", async () => {
  const result = await db.admin.query(
    `select rolsuper, rolbypassrls, rolinherit, rolcreaterole,
       (select count(*)::int from pg_class where relowner = r.oid) as owned
     from pg_roles r where rolname = $1`,
    [new URL(db.connectionString).username],
  );
  expect(result.rows[0]).toEqual({
    rolsuper: false,
    rolbypassrls: false,
    rolinherit: true,
    rolcreaterole: false,
    owned: 0,
  });
});

test("the role that serves requests cannot itself read profiles or accounts", async () => {
  const client = new pg.Client({ connectionString: db.connectionString });
  await client.connect();
  await expect(client.query("select from public.profiles")).rejects.toMatchObject({ code: "42501" });
  await expect(client.query("select from auth.users")).rejects.toMatchObject({ code: "42501" });
  await client.end();
});

/** The two ways to run a statement with a caller's role and claims. Both return the statement's rows. */
const RUN = {
  async transaction(database: Database, caller: AuthContext, text: string) {
    return (await database.transaction(caller, (client) => client.query(text))).rows;
  },
  async read(database: Database, caller: AuthContext, text: string) {
    return (await database.read(caller, { text })).rows;
  },
};

test.each(["transaction", "read"] as const)(
  "a %s is rejected if the session has ended or belongs to another member, or if the member is banned",
  async (method) => {
    const member = await makeMember(db.admin);
    const other = await makeMember(db.admin);
    const created = await db.admin.query<{ id: string }>(
      "insert into auth.sessions (id, user_id, created_at) values (gen_random_uuid(), $1, now()) returning id",
      [member],
    );
    const session_id = created.rows[0]?.id;
    const ask = (sub: string) =>
      RUN[method](
        db.database,
        { role: "authenticated", claims: { role: "authenticated", sub, session_id } },
        "select 1 as one",
      );
    await expect(ask(member)).resolves.toEqual([{ one: 1 }]);
    await expect(ask(other)).rejects.toBeInstanceOf(SessionEndedError);
    await db.admin.query("update auth.users set banned_until = now() + interval '1 hour' where id = $1", [
      member,
    ]);
    await expect(ask(member)).rejects.toBeInstanceOf(SessionEndedError);
    await db.admin.query("update auth.users set banned_until = null where id = $1", [member]);
    await db.admin.query("delete from auth.sessions where id = $1", [session_id]);
    await expect(ask(member)).rejects.toBeInstanceOf(SessionEndedError);
  },
);

test("the REST API reads and returns timestamps in UTC, even if the database's time zone is Europe/Berlin", async () => {
  await db.admin.query("alter database postgres set timezone to 'Europe/Berlin'");
  onTestFinished(async () => void (await db.admin.query("alter database postgres reset timezone")));
  const inBerlin = openDatabase({ connectionString: db.connectionString, size: 1 });
  onTestFinished(() => inBerlin.close());
  const pipeline = createPipeline({ ...db, database: inBerlin, trustedProxies: 0 });
  const rest = inProcess(
    createRest({ pipeline, schemaCache: await readSchemaCache(inBerlin), onWrite: () => undefined }),
  );
  const member = await makeMember(db.admin);
  const headers = { apikey: db.keys.serviceKey, "content-type": "application/json" };
  // Berlin's offset is +02:00 in July and +01:00 in January, so each time would differ if it were read or returned in
  // Berlin's time zone.
  const articles = ["2025-07-01T12:00:00Z", "2025-01-01T12:00:00Z", "2024-07-01T12:00:00"].map(
    (created_at) => ({
      author_id: member,
      title: "x",
      content: "x",
      created_at,
    }),
  );
  const created = await rest.request("/articles", {
    method: "POST",
    headers,
    body: JSON.stringify(articles),
  });
  expect(created.status).toBe(201);
  const read = await rest.request("/articles?select=created_at&order=created_at.desc", { headers });
  expect(await read.json()).toEqual([
    { created_at: "2025-07-01T12:00:00+00:00" },
    { created_at: "2025-01-01T12:00:00+00:00" },
    { created_at: "2024-07-01T12:00:00+00:00" },
  ]);
});

test("an idle site keeps one connection, so that a process with other keys notices it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const idle = openDatabase({ connectionString: db.connectionString });
  onTestFinished(() => idle.close());
  const reads = Array.from({ length: 3 }, () => idle.read({ role: "anon" }, { text: "select 1" }));
  await Promise.all([...reads, idle.transaction({ role: "supabase_auth_admin" }, async () => undefined)]);
  expect(idle.connections().total).toBeGreaterThan(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(idle.connections()).toMatchObject({ total: 1, idle: 1 });
});

test("interleaved reads and transactions on one connection each run as their own caller", async () => {
  const single = openDatabase({ connectionString: db.connectionString, size: 1 });
  onTestFinished(() => single.close());
  const members = [await makeMember(db.admin), await makeMember(db.admin), undefined];
  const requests = Array.from({ length: 60 }, async (_, index) => {
    const sub = members[index % members.length];
    const role = sub ? "authenticated" : "anon";
    const text = index % 7 === 0 ? "select 1 / 0" : "select current_user::text as role, auth.uid() as uid";
    const ask = index % 2 === 0 ? RUN.read : RUN.transaction;
    const result = await ask(single, { role, claims: { role, ...(sub && { sub }) } }, text).catch(
      ({ code }: { code: string }) => code,
    );
    expect(result).toEqual(index % 7 === 0 ? "22012" : [{ role, uid: sub ?? null }]);
  });
  await Promise.all(requests);
});

test.each([
  ["an unknown role", { role: "nobody" as "anon" }, "22023"],
  ["a claim with a NUL character", { role: "anon", claims: { session_id: "\0" } }, undefined],
] as const)("a read with %s fails without running its statement", async (_, caller, code) => {
  const single = openDatabase({ connectionString: db.connectionString, size: 1 });
  onTestFinished(() => single.close());
  await db.admin.query("create sequence if not exists public.runs; grant usage on public.runs to public");
  onTestFinished(async () => void (await db.admin.query("drop sequence public.runs")));
  const run = { text: "select nextval('public.runs')" };
  await expect(single.read(caller, run)).rejects.toMatchObject(code ? { code } : {});
  const { rows } = await db.admin.query("select is_called from public.runs");
  expect(rows).toEqual([{ is_called: false }]);
  expect(await single.read({ role: "anon" }, run)).toMatchObject({ rows: [{ nextval: "1" }] });
});

test.each(["transaction", "read"] as const)(
  "a %s that exceeds the statement timeout is cancelled, and its connection stays usable",
  async (method) => {
    const single = openDatabase({ connectionString: db.connectionString, size: 1, statementTimeoutMs: 500 });
    const pid = () =>
      single.transaction({ role: "anon" }, async (client) => {
        const result = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
        return result.rows[0]?.pid;
      });
    const before = await pid();
    const slow = RUN[method](single, { role: "anon" }, "select pg_sleep(10)");
    await expect(slow).rejects.toMatchObject({ code: "57014" });
    expect(await pid()).toBe(before);
    await single.close();
  },
);

/** Opens the database through a TCP proxy. `onConnection` decides what happens to each connection. */
async function openThroughProxy(onConnection: (socket: Socket, connectServer: () => Socket) => void) {
  const address = new URL(db.connectionString);
  const { host, port } = Object.fromEntries(address.searchParams);
  const proxy = createServer((socket) =>
    onConnection(socket, () => {
      const server = connect(`${host}/.s.PGSQL.${port}`).on("error", () => socket.destroy());
      socket.on("error", () => undefined).on("close", () => server.destroy());
      socket.pipe(server).pipe(socket);
      return server;
    }),
  ).listen(0, "127.0.0.1");
  onTestFinished(() => void proxy.close());
  await once(proxy, "listening");
  address.search = "";
  Object.assign(address, { hostname: "127.0.0.1", port: String((proxy.address() as AddressInfo).port) });
  const database = openDatabase({ connectionString: address.href });
  onTestFinished(() => database.close());
  return database;
}

test("a transaction and a read fail within four seconds if the database does not respond", async () => {
  const expectFailure = async (method: keyof typeof RUN) => {
    const servers: Socket[] = [];
    const database = await openThroughProxy((_, connectServer) => servers.push(connectServer()));
    await database.ready();
    for (const server of servers) server.unpipe();
    const start = performance.now();
    const request = RUN[method](database, { role: "anon" }, "select 1");
    await expect(request, method).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(performance.now() - start, method).toBeLessThan(4_000);
    // The next request succeeds on a new connection.
    expect(await RUN[method](database, { role: "anon" }, "select 1 as one"), method).toEqual([{ one: 1 }]);
  };
  await Promise.all([expectFailure("transaction"), expectFailure("read")]);
});

test.each([
  ["anon", "2s"],
  ["authenticated", "5s"],
  ["service_role", "5s"],
] as const)("statements of the role %s have a timeout of %s", async (role, timeout) => {
  const { rows } = await db.database.read({ role }, { text: "show statement_timeout" });
  expect(rows).toEqual([{ statement_timeout: timeout }]);
});

test("a site starts even if its first two database connections break", async () => {
  let broken = 0;
  const database = await openThroughProxy((socket, connectServer) => {
    if (broken++ < 2) socket.destroy();
    else connectServer();
  });
  const settings = readSettings({});
  const events: BackendEvents = new EventEmitter();
  const { routes } = await serveBuiltIn({ ...db, database, settings, events, print: () => undefined });
  const response = await routes.request(
    "/rest/v1/articles",
    { headers: { apikey: db.keys.anonKey } },
    IN_PROCESS,
  );
  expect(response.status).toBe(200);
});

test("a connection that the database terminated is not used again", async () => {
  const single = openDatabase({ connectionString: db.connectionString, size: 1 });
  const broken = single.transaction({ role: "anon" }, async (client) => {
    const result = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    await db.admin.query("select pg_terminate_backend($1)", [result.rows[0]?.pid]);
    return client.query("select 1");
  });
  await expect(broken).rejects.toBeInstanceOf(DatabaseUnavailableError);
  expect(await single.ready()).toBe(true);
  await single.close();
  expect(await single.ready()).toBe(false);
});
