import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createLog } from "../../server/http/log.ts";
import { type AuthContext, type Database, openDatabase } from "../../server/postgres/database.ts";
import { migrate } from "../../server/postgres/migrations.ts";
import { withReplica } from "../../server/postgres/replica.ts";
import { ensureServingRole } from "../../server/postgres/serving-role.ts";
import { onlyRow } from "../../server/rest/sql/statement.ts";
import { makeMember } from "../fixtures/database.ts";
import { type ExternalServer, startExternalServer } from "../fixtures/external-server.ts";
import { startProcess } from "../fixtures/process.ts";

const secret = randomBytes(32).toString("hex");
let server: ExternalServer;
/** Of the database's superuser. */
let address: string;
let admin: pg.Client;
let database: Database;
let owner: string;
const lines: string[] = [];
const log = createLog((line) => void lines.push(line));

beforeAll(async () => {
  server = await startExternalServer({ hasReplica: true });
  address = server.url("operator", "a password of the operator", "postgres");
  admin = new pg.Client({ connectionString: address });
  await admin.connect();
  await migrate(admin);
  const serving = await ensureServingRole(admin, address, secret);
  owner = await makeMember(admin);
  await admin.query("insert into public.articles (author_id, title, content) values ($1, 'First', 'x')", [
    owner,
  ]);
  const copy = new URL(serving);
  copy.port = String(server.replica.port);
  database = withReplica(
    openDatabase({ connectionString: serving, log }),
    openDatabase({ connectionString: copy.href }),
    log,
  );
  database.follow({ changed: () => undefined, following: () => undefined });
});
afterAll(async () => {
  await database.close();
  await admin.end();
  await server.stop();
});

interface Seen {
  titles: string[];
  isReplica: boolean;
}

const LOOK = {
  text: `select array(select title from public.articles order by title) as titles,
    pg_is_in_recovery() as "isReplica"`,
};

/** What somebody reads, and where. */
async function look(caller: AuthContext): Promise<Seen> {
  return onlyRow<Seen>((await database.read(caller, [LOOK]))[0]);
}

const visit = () => look({ role: "anon" });

async function untilOnReplica(): Promise<Seen> {
  return vi.waitFor(
    async () => {
      const seen = await visit();
      expect(seen.isReplica).toBe(true);
      return seen;
    },
    { timeout: 10_000 },
  );
}

const rename = (title: string) =>
  database.transaction({ role: "authenticated", claims: { role: "authenticated", sub: owner } }, (client) =>
    client.query("update public.articles set title = $1", [title]),
  );

test("visitors read from the replica, members from the database", async () => {
  expect((await untilOnReplica()).titles).toEqual(["First"]);
  const member = { role: "authenticated", claims: { role: "authenticated", sub: owner } } as const;
  expect((await look(member)).isReplica).toBe(false);
  const written = await database.transaction({ role: "anon" }, (client) => client.query<Seen>(LOOK));
  expect(onlyRow(written).isReplica).toBe(false);
});

test("who has written sees it at once, however far the replica is behind", async () => {
  await untilOnReplica();
  await server.replica.query("select pg_wal_replay_pause()");
  await vi.waitFor(async () => {
    const { rows } = await server.replica.query("select pg_get_wal_replay_pause_state() as state");
    expect(rows[0]?.state).toBe("paused");
  });
  for (const title of ["Second", "Third"]) {
    await rename(title);
    expect(await visit()).toEqual({ titles: [title], isReplica: false });
  }
  // Also what somebody else writes, as soon as it has been heard of.
  await admin.query("update public.articles set title = 'Fourth'");
  await vi.waitFor(async () => expect((await visit()).titles).toEqual(["Fourth"]));
  await server.replica.query("select pg_wal_replay_resume()");
  expect((await untilOnReplica()).titles).toEqual(["Fourth"]);
});

test("a thousand writes, each read back at once, are all seen", async () => {
  for (let number = 0; number < 1000; number++) {
    await rename(`Number ${number}`);
    expect((await visit()).titles).toEqual([`Number ${number}`]);
  }
});

test("a process uses the replica of DATABASE_REPLICA_URL, under the login that serves", async () => {
  const logins = `select usename as name from pg_stat_activity where application_name = 'techfolio'`;
  const before = (await server.replica.query(logins)).rows.length;
  const site = await startProcess({
    DATABASE_URL: address,
    DATABASE_REPLICA_URL: `postgres://127.0.0.1:${server.replica.port}/postgres`,
    AUTH_JWT_SECRET: secret,
  });
  await site.running();
  await vi.waitFor(
    async () => {
      // Each page is another one: what is kept would ask nobody.
      expect((await fetch(`${site.url}/articles?q=${Math.random()}`)).status).toBe(200);
      const { rows } = await server.replica.query(logins);
      expect(rows.length).toBeGreaterThan(before);
      expect(rows.every(({ name }) => /^authenticator_\d+$/.test(name))).toBe(true);
    },
    { timeout: 10_000 },
  );
});

// Last: it does not come back.
test("a replica that fails is not missed", async () => {
  await untilOnReplica();
  await server.replica.stop();
  const answers = await Promise.all(Array.from({ length: 20 }, visit));
  expect(answers.every(({ isReplica }) => !isReplica)).toBe(true);
  expect(lines.filter((line) => line.includes("database replica does not answer"))).toHaveLength(1);
});
