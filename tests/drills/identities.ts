import { setTimeout as sleep } from "node:timers/promises";
import { createClient, inParallel, type Outcome, type RequestOptions } from "./client.ts";
import { type Drill, type Figure, none } from "./figure.ts";
import { type Author, type DrillSite, makeAuthor, withSite } from "./site.ts";

const AT_ONCE = 40;
/** Spreads the workers over client addresses, because the site limits how many requests it accepts from one address. */
const addressOf = (worker: number) => `127.0.4.${worker + 1}`;

/** A request, and a check that its response belongs to the identity that sent it. */
interface Attempt {
  path: string;
  options: RequestOptions;
  isRight(status: number, rows: Row[]): boolean;
}

interface Row {
  id?: string;
  profile_id?: string;
}

/**
 * Whether a limit rejected the request before it ran under any identity. The limit also counts aborted requests that the
 * site still works on.
 */
const isRejected = ({ status, body }: Outcome) =>
  (status === 429 || status === 503) && body.includes("Too many requests");

/** Returns one of six kinds of request, from `sender` or, if that is undefined, from a visitor. */
function attempt(site: DrillSite, sender: Author | undefined, other: Author, kind: number): Attempt {
  const headers: Record<string, string> = {
    apikey: site.keys.anonKey,
    prefer: "return=representation",
    "content-type": "application/json",
    ...(sender && { authorization: `Bearer ${sender.token}` }),
  };
  // The title is the sender's id or "visitor". If a request runs under a wrong identity, its row is stored with another
  // profile_id than its title. The query at the end of the drill looks for such rows.
  const title = sender?.id ?? "visitor";
  const row = { profile_id: (sender ?? other).id, title, url: "/", category: "Drill" };
  const post = (body: object) => ({ method: "POST", headers, body: JSON.stringify(body) });
  switch (kind) {
    case 0:
      return {
        path: "/rest/v1/useful_links",
        options: post(row),
        isRight: (status, [created]) =>
          sender ? status === 201 && created?.profile_id === sender.id : status === 401,
      };
    case 1:
      return {
        path: "/rest/v1/profiles?id=not.is.null",
        options: { method: "PATCH", headers, body: JSON.stringify({ bio: title }) },
        isRight: (status, rows) =>
          sender ? status === 200 && rows.length === 1 && rows[0]?.id === sender.id : status === 401,
      };
    case 2:
      return {
        path: "/rest/v1/useful_links",
        options: post({ ...row, title: "" }),
        isRight: (status) => status === (sender ? 400 : 401),
      };
    case 3:
      return {
        path: "/rest/v1/useful_links",
        options: post({ ...row, profile_id: other.id }),
        isRight: (status) => status === (sender ? 403 : 401),
      };
    case 4:
      return {
        path: "/auth/v1/user",
        options: { headers },
        isRight: (status, [user]) =>
          sender ? status === 200 && user?.id === sender.id : status === 403 || status === 401,
      };
    default:
      return {
        path: "/rest/v1/useful_links?select=id,profile_id&limit=3",
        options: { headers },
        isRight: (status) => status === 200,
      };
  }
}

/**
 * Sends requests as two members and a visitor at the same time, over the few database connections that they share, and
 * checks that each response, and each row that is written, belongs to the sender.
 */
export const identities: Drill = {
  name: "identities",
  title: "interleaved requests of three identities are never mixed up",
  run: (scale) =>
    withSite({}, async (site): Promise<Figure[]> => {
      const count = scale === "long" ? 10_000 : 400;
      const [ada, grace] = [await makeAuthor(site), await makeAuthor(site)];
      const client = createClient(site.url);
      const wrong: string[] = [];
      let next = 0;
      let aborted = 0;
      let rejected = 0;
      await inParallel(AT_ONCE, async (worker) => {
        const at = next++;
        if (at >= count) return false;
        const sender = [ada, grace, undefined][at % 3];
        const kind = Math.floor(at / 3) % 6;
        const { path, options, isRight } = attempt(site, sender, sender === ada ? grace : ada, kind);
        const send = async () => {
          // Abort every seventh request before, during or just after its processing.
          const signal = at % 7 === 0 ? AbortSignal.timeout(at % 5) : undefined;
          const from = addressOf(worker);
          const response = await client.ask(path, { ...options, from, ...(signal && { signal }) });
          return { ...response, isAborted: response.status === 0 && signal?.aborted === true };
        };
        let response = await send();
        while (isRejected(response)) {
          rejected += 1;
          await sleep(Number(response.headers["retry-after"]) * 1_000);
          response = await send();
        }
        const { status, body, isAborted } = response;
        if (isAborted) {
          aborted += 1;
          return true;
        }
        const parsed: unknown = body === "" ? [] : JSON.parse(body);
        if (!isRight(status, (Array.isArray(parsed) ? parsed : [parsed]) as Row[])) {
          wrong.push(`kind ${kind} as ${sender ? "a member" : "a visitor"} ${status}`);
        }
        return true;
      });
      client.close();
      const admin = await site.admin();
      const { rows } = await admin.query<{ foreign: number; written: number }>(
        `select (select count(*)::int from public.useful_links where profile_id::text <> title)
           + (select count(*)::int from public.profiles where bio <> id::text) as foreign,
           (select count(*)::int from public.useful_links) as written`,
      );
      await admin.end();
      const { foreign = 1, written = 0 } = rows[0] ?? {};
      return [
        none(
          "0 responses under the wrong identity",
          wrong.length,
          `${count} (${aborted} aborted, ${rejected} rejected by a limit and repeated) ${[...new Set(wrong)].slice(0, 3)}`,
        ),
        none("0 writes under the wrong identity", foreign, `${written} rows written`),
      ];
    }),
};
