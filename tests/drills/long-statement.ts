import { createClient } from "./client.ts";
import { type Drill, type Figure, none, within } from "./figure.ts";
import { makeAuthor, until, withSite } from "./site.ts";

/** Of one address alone, most would be refused as its own fault. */
const addressOf = (at: number) => `127.0.5.${at + 1}`;

/** Statements that wait for a lock longer than the database lets them. */
export const longStatement: Drill = {
  name: "long-statement",
  title: "a statement that runs too long",
  run: () =>
    withSite({}, async (site): Promise<Figure[]> => {
      const author = await makeAuthor(site);
      const client = createClient(site.url);
      const admin = await site.admin();
      const headers = { apikey: site.keys.anonKey, authorization: `Bearer ${author.token}` };
      // As many as the pool has connections: if one were not given back, the next request would find none.
      await admin.query("begin; lock table public.skills; lock table auth.refresh_tokens");
      const asked = await Promise.all([
        ...Array.from({ length: 8 }, (_, at) =>
          client.ask("/rest/v1/skills", { headers, from: addressOf(at) }),
        ),
        ...Array.from({ length: 2 }, () =>
          client.ask("/auth/v1/token?grant_type=refresh_token", {
            method: "POST",
            headers: { apikey: site.keys.anonKey, "content-type": "application/json" },
            body: '{"refresh_token":"nobody-knows-it"}',
          }),
        ),
      ]);
      const { rows } = await admin.query<{ count: number }>(
        "select count(*)::int from pg_stat_activity where application_name = 'techfolio' and state <> 'idle'",
      );
      await admin.query("rollback");
      await admin.end();
      const free = await until("the next answer", 5_000, async () =>
        (
          await Promise.all(Array.from({ length: 20 }, () => client.ask("/rest/v1/skills", { headers })))
        ).every(({ status }) => status === 200),
      );
      client.close();
      const wrong = asked.filter(({ status }) => status !== 503 && status !== 504);
      const slowest = Math.max(...asked.map(({ milliseconds }) => milliseconds));
      return [
        none("answered 503 or 504", wrong.length, `10: ${[...new Set(asked.map(({ status }) => status))]}`),
        within("cut off after 5 s", slowest, 7_000),
        none("every connection back in the pool", rows[0]?.count ?? 10, "10 still busy"),
        within("20 requests at once are answered again", free, 5_000),
      ];
    }),
};
