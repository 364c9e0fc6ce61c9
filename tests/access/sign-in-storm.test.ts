import { afterAll, expect, test } from "vitest";
import { startTestAuth } from "../support/auth.ts";

const auth = await startTestAuth();
afterAll(() => auth.stop());

// Two transactions that share a lock on an account and then change it would block each other for a second.
test("many simultaneous sign-ins of one account succeed without a deadlock", async () => {
  const { email, password } = await auth.member();
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => auth.post("token?grant_type=password", { email, password })),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const { rows } = await auth.admin.query<{ deadlocks: number }>(
    "select deadlocks::int from pg_stat_database where datname = current_database()",
  );
  expect(rows).toEqual([{ deadlocks: 0 }]);
});
