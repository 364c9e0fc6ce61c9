import { afterAll, expect, test } from "vitest";
import { startTestAuth } from "../support/auth.ts";

const auth = await startTestAuth();
afterAll(() => auth.stop());

// Two transactions that both share a lock on the account and then want to change it stop each other for a second.
test("many sign-ins of one account at once all succeed, and none waits for a deadlock to be found", async () => {
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
