import { afterAll, expect, test } from "vitest";
import { startTestAuth } from "../support/auth.ts";

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
