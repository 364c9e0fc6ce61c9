import { createClient, inParallel, type Question } from "./client.ts";
import { type Drill, type Figure, none } from "./figure.ts";
import { type Author, type DrillSite, makeAuthor, withSite } from "./site.ts";

const AT_ONCE = 40;
/** One address alone could not ask so much at once. */
const addressOf = (worker: number) => `127.0.4.${worker + 1}`;

/** A request and what its answer has to be when it is the asker's own. */
interface Attempt {
  path: string;
  question: Question;
  isRight(status: number, rows: Row[]): boolean;
}

interface Row {
  id?: string;
  profile_id?: string;
  name?: string;
}

/** Without `asker`: as a visitor. */
function attempt(site: DrillSite, asker: Author | undefined, other: Author, kind: number): Attempt {
  const headers: Record<string, string> = {
    apikey: site.keys.anonKey,
    prefer: "return=representation",
    "content-type": "application/json",
    ...(asker && { authorization: `Bearer ${asker.token}` }),
  };
  // A row carries its owner's id as its name: one by another's hand would show it.
  const row = { profile_id: (asker ?? other).id, name: asker?.id ?? "visitor" };
  const post = (body: object) => ({ method: "POST", headers, body: JSON.stringify(body) });
  switch (kind) {
    case 0:
      return {
        path: "/rest/v1/skills",
        question: post(row),
        isRight: (status, [made]) =>
          asker ? status === 201 && made?.profile_id === asker.id : status === 401,
      };
    case 1:
      return {
        path: "/rest/v1/profiles?id=not.is.null",
        question: { method: "PATCH", headers, body: JSON.stringify({ bio: row.name }) },
        isRight: (status, rows) =>
          asker ? status === 200 && rows.length === 1 && rows[0]?.id === asker.id : status === 401,
      };
    case 2:
      return {
        path: "/rest/v1/skills",
        question: post({ ...row, proficiency: 9 }),
        isRight: (status) => status === (asker ? 400 : 401),
      };
    case 3:
      return {
        path: "/rest/v1/skills",
        question: post({ ...row, profile_id: other.id }),
        isRight: (status) => status === (asker ? 403 : 401),
      };
    case 4:
      return {
        path: "/auth/v1/user",
        question: { headers },
        isRight: (status, [user]) =>
          asker ? status === 200 && user?.id === asker.id : status === 403 || status === 401,
      };
    default:
      return {
        path: "/rest/v1/skills?select=id,profile_id&limit=3",
        question: { headers },
        isRight: (status) => status === 200,
      };
  }
}

/** Three identities at once over few connections: two members and a visitor. */
export const identities: Drill = {
  name: "identities",
  title: "interleaved requests of three identities, aborted and failing ones among them",
  run: (scale) =>
    withSite({}, async (site): Promise<Figure[]> => {
      const count = scale === "long" ? 10_000 : 1_200;
      const [ada, grace] = [await makeAuthor(site), await makeAuthor(site)];
      const client = createClient(site.url);
      const wrong: string[] = [];
      let next = 0;
      let aborted = 0;
      let refused = 0;
      await inParallel(AT_ONCE, async (worker) => {
        const at = next++;
        if (at >= count) return false;
        const asker = [ada, grace, undefined][at % 3];
        const kind = Math.floor(at / 3) % 6;
        const { path, question, isRight } = attempt(site, asker, asker === ada ? grace : ada, kind);
        // Every seventh leaves: before the server looks, while it works, or just too late.
        const leaving = at % 7 === 0 ? AbortSignal.timeout(at % 5) : undefined;
        const { status, body } = await client.ask(path, {
          ...question,
          from: addressOf(worker),
          ...(leaving && { signal: leaving }),
        });
        if (status === 0 && leaving?.aborted) {
          aborted += 1;
          return true;
        }
        // Turned away as one too many: no answer, and under no identity.
        if (status === 503 && body.includes("Too many requests at this moment")) {
          refused += 1;
          return true;
        }
        const parsed: unknown = body === "" ? [] : JSON.parse(body);
        if (!isRight(status, (Array.isArray(parsed) ? parsed : [parsed]) as Row[])) {
          wrong.push(`kind ${kind} as ${asker ? "a member" : "a visitor"} ${status}`);
        }
        return true;
      });
      client.close();
      const admin = await site.admin();
      const { rows } = await admin.query<{ foreign: number; written: number }>(
        `select (select count(*)::int from public.skills where profile_id::text <> name)
           + (select count(*)::int from public.profiles where bio <> id::text) as foreign,
           (select count(*)::int from public.skills) as written`,
      );
      await admin.end();
      const { foreign = 1, written = 0 } = rows[0] ?? {};
      return [
        none(
          "0 answers under the wrong identity",
          wrong.length,
          `${count} (${aborted} aborted, ${refused} turned away) ${[...new Set(wrong)].slice(0, 3)}`,
        ),
        none("0 writes under the wrong identity", foreign, `${written} rows written`),
      ];
    }),
};
