import { getEventListeners } from "node:events";
import { afterAll, afterEach, expect, onTestFinished, test, vi } from "vitest";
import { followChanges } from "../../server/postgres/change-notifications.ts";
import { makeMember, startTestDatabase } from "../support/database.ts";

const PATIENCE = { timeout: 10_000 };

const endings: (() => Promise<void>)[] = [];

const db = await startTestDatabase();
const owner = await makeMember(db.admin);
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});
afterAll(() => db.stop());

const notify = (channel: string) => db.admin.query(`notify ${channel}`);

/** A follower and what it received. */
async function follow() {
  const heard = { changes: 0, states: [] as boolean[] };
  endings.push(
    followChanges(
      { connectionString: db.connectionString, notify },
      {
        changed() {
          heard.changes += 1;
        },
        following: (isFollowing) => void heard.states.push(isFollowing),
      },
    ),
  );
  await vi.waitFor(() => expect(heard.states.at(-1)).toBe(true), { timeout: 5_000 });
  return heard;
}

/** Resolves once one more change than now has been heard, by statement. */
async function isHeard(heard: { changes: number }, sql: string, values: unknown[] = []) {
  const before = heard.changes;
  await db.admin.query(sql, values);
  await vi.waitFor(() => expect(heard.changes).toBeGreaterThan(before), PATIENCE);
}

test("every kind of write to each of the five tables is told, whoever makes it", async () => {
  const heard = await follow();
  await isHeard(heard, "update public.profiles set full_name = 'A name' where id = $1", [owner]);
  await isHeard(heard, "insert into public.skills (profile_id, name) values ($1, 'SQL')", [owner]);
  await isHeard(heard, "insert into public.articles (author_id, title, content) values ($1, 'T', 'C')", [
    owner,
  ]);
  await isHeard(
    heard,
    "insert into public.useful_links (profile_id, title, url, category) values ($1, 'T', '/', 'C')",
    [owner],
  );
  const sample =
    "insert into public.code_samples (profile_id, title, code_content, language) values ($1, 'T', 'C', 'sql')";
  await isHeard(heard, sample, [owner]);
  for (const table of ["skills", "articles", "useful_links", "code_samples"]) {
    await isHeard(heard, `delete from public.${table}`);
  }
  await isHeard(heard, "truncate public.skills");
  // An account takes what it owns along.
  const leaver = await makeMember(db.admin);
  await isHeard(heard, "delete from auth.users where id = $1", [leaver]);
});

test("nothing is told before it is committed, nor what is rolled back", async () => {
  const heard = await follow();
  const before = heard.changes;
  const client = await db.admin.connect();
  await client.query("begin");
  await client.query("update public.profiles set bio = 'x'");
  await client.query("rollback");
  await client.query("begin");
  await client.query("update public.profiles set bio = 'y'");
  expect(heard.changes).toBe(before);
  await client.query("commit");
  client.release();
  await vi.waitFor(() => expect(heard.changes).toBe(before + 1), PATIENCE);
});

const cut =
  "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'techfolio listener'";

test("a lost connection is reported, opened again, and what it missed counts as a change", async () => {
  const heard = await follow();
  const before = heard.changes;
  await db.admin.query(cut);
  await vi.waitFor(() => expect(heard.states).toEqual([true, false, true]), { timeout: 5_000 });
  expect(heard.changes).toBeGreaterThan(before);
  await isHeard(heard, "update public.profiles set bio = 'z'");
});

test("what a lost connection waited for goes with it", async () => {
  const made: AbortController[] = [];
  vi.stubGlobal(
    "AbortController",
    class extends AbortController {
      constructor() {
        super();
        made.push(this);
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const heard = await follow();
  const untilTheEnd = made[0]?.signal ?? expect.fail("Nothing can end it");
  const waiting = getEventListeners(untilTheEnd, "abort").length;
  for (const states of [3, 5]) {
    await db.admin.query(cut);
    await vi.waitFor(() => expect(heard.states).toHaveLength(states), { timeout: 5_000 });
  }
  expect(getEventListeners(untilTheEnd, "abort")).toHaveLength(waiting);
});

test("a server that is not there is asked again until it is", async () => {
  const states: boolean[] = [];
  const address = new URL(db.connectionString);
  address.searchParams.set("port", "1");
  endings.push(
    followChanges(
      { connectionString: address.href, notify },
      { changed: () => undefined, following: (is) => void states.push(is) },
    ),
  );
  await vi.waitFor(() => expect(states).toEqual([false]), PATIENCE);
});
