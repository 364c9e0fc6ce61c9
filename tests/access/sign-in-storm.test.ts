import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { createPipeline } from "../../server/api/pipeline.ts";
import { createAuth } from "../../server/auth/auth-routes.ts";
import { createPasswords } from "../../server/auth/passwords.ts";
import { readSettings } from "../../server/config/settings.ts";
import type { Database } from "../../server/postgres/database.ts";
import { type Account, SITE, startTestAuth } from "../support/auth.ts";
import { makeMember } from "../support/database.ts";
import { inProcess } from "../support/in-process.ts";

const auth = await startTestAuth();
afterAll(() => auth.stop());

// A sign-in must not take a shared lock on the account before updating it: simultaneous sign-ins would then wait for each
// other's lock, until PostgreSQL detects the deadlock after a second and makes one of them fail.
test("40 simultaneous sign-ins to one account succeed without a deadlock", async () => {
  const { email, password } = await auth.member();
  const responses = await Promise.all(
    Array.from({ length: 40 }, () => auth.post("token?grant_type=password", { email, password })),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  const { rows } = await auth.admin.query<{ deadlocks: number }>(
    "select deadlocks::int from pg_stat_database where datname = current_database()",
  );
  expect(rows).toEqual([{ deadlocks: 0 }]);
});

test("a class of 40 people signs in at the same moment from one IP address", async () => {
  // The site's own cost, because the time that hashing takes decides how long the last sign-in waits.
  const school = await startTestAuth({ passwords: createPasswords() });
  onTestFinished(() => school.stop());
  const teacher = await school.member();
  const { password } = teacher;
  const people: Account[] = [];
  for (let count = 0; count < 40; count++) {
    const email = `pupil${count}@example.com`;
    people.push({ id: await makeMember(school.admin, email), email, password });
  }
  // Hashing the password of each person would take as long as the sign-ins.
  await school.admin.query(
    `update auth.users set encrypted_password = teacher.encrypted_password
     from (select encrypted_password from auth.users where id = $1) as teacher`,
    [teacher.id],
  );
  const server = serve({ fetch: school.app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
  if (!server.listening) await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const statuses = await Promise.all(
    people.map(async ({ email, password }) => {
      const response = await fetch(`http://127.0.0.1:${port}/auth/v1/token?grant_type=password`, {
        method: "POST",
        headers: { apikey: school.keys.anonKey, "content-type": "application/json" },
        body: JSON.stringify({ email, password }),
      });
      return response.status;
    }),
  );
  expect(statuses).toEqual(people.map(() => 200));
});

test("after a wrong password, only the passwords of the same client are checked after those of others", async () => {
  const passwords = createPasswords(4);
  const matches = vi.spyOn(passwords, "matches");
  const site = await startTestAuth({ passwords });
  onTestFinished(() => site.stop());
  const { email, password } = await site.member();
  const signIn = async (address: string, typed: string) => {
    const path = "token?grant_type=password";
    const { status } = await site.post(path, { email, password: typed }, {}, address);
    return { status, ...matches.mock.lastCall?.[2] };
  };
  expect(await signIn("203.0.113.1", password)).toEqual({ status: 200, afterOthers: false });
  expect(await signIn("203.0.113.1", "wrong")).toEqual({ status: 400, afterOthers: false });
  expect(await signIn("203.0.113.1", "wrong")).toEqual({ status: 400, afterOthers: true });
  expect(await signIn("203.0.113.2", password)).toEqual({ status: 200, afterOthers: false });
  expect(await signIn("203.0.113.1", password)).toEqual({ status: 200, afterOthers: true });
});

test("a sign-in takes at most three transactions", async () => {
  const { email, password } = await auth.member();
  let transactions = 0;
  const database: Database = {
    ...auth.database,
    transaction: (context, work) => {
      transactions += 1;
      return auth.database.transaction(context, work);
    },
  };
  const service = inProcess(
    createAuth({
      pipeline: createPipeline({ ...auth, database, trustedProxies: 0 }),
      settings: { ...readSettings({}), siteUrl: SITE },
      linkKey: "a secret of the tests",
      sendEmail: async () => undefined,
      sendLater: () => undefined,
      onWrite: () => undefined,
      passwords: createPasswords(4),
    }),
  );
  for (const [typed, status, expected] of [
    [password, 200, 3],
    ["wrong", 400, 2],
  ] as const) {
    transactions = 0;
    const response = await service.request("/token?grant_type=password", {
      method: "POST",
      headers: { apikey: auth.keys.anonKey, "content-type": "application/json" },
      body: JSON.stringify({ email, password: typed }),
    });
    expect([response.status, transactions]).toEqual([status, expected]);
  }
});
