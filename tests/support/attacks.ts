import { createHmac } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { type Account, SITE, startTestAuth, type TestAuth } from "./auth.ts";

export interface Attack {
  path: string;
  method?: string;
  body?: unknown;
  /** Sent instead of `body`, for content that `JSON.stringify` cannot produce. */
  raw?: string | Uint8Array;
  headers?: Record<string, string>;
  status: number | number[];
}

export interface Situation {
  victim: Account;
  victimToken: string;
  victimRefresh: string;
  attacker: Account;
  attackerToken: string;
  attackerRefresh: string;
  keys: TestAuth["keys"];
}

/**
 * Attempts, by description, to sign in as another member, gain privileges or break the server. The response to
 * each must have the expected status and contain no session, and every account must stay unchanged.
 */
export type Attempts = Record<string, (s: Situation) => Attack | Promise<Attack>>;

export function encodeJwtPart(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

export function inAnHour(): number {
  return Math.floor(Date.now() / 1000) + 3600;
}

export function forgeToken(header: object, claims: object, secret: string, hash = "sha256"): string {
  const signed = `${encodeJwtPart(header)}.${encodeJwtPart(claims)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest("base64url")}`;
}

/** Starts the auth routes with a victim and an attacker, both signed in. */
export async function startAttacks() {
  const auth = await startTestAuth();
  const [victim, attacker] = [await auth.member(), await auth.member()];
  const [victimSession, attackerSession] = [await sessionOf(auth, victim), await sessionOf(auth, attacker)];
  const situation: Situation = {
    victim,
    victimToken: victimSession.access_token,
    victimRefresh: victimSession.refresh_token,
    attacker,
    attackerToken: attackerSession.access_token,
    attackerRefresh: attackerSession.refresh_token,
    keys: auth.keys,
  };
  afterAll(() => auth.stop());
  return { auth, situation };
}

export function testAttempts(auth: TestAuth, situation: Situation, groups: Record<string, Attempts>): void {
  describe.each(Object.entries(groups))("attacks with %s", (kind, attempts) => {
    test.each(Object.entries(attempts))(
      `an attack with ${kind} gains nothing: %s`,
      async (_name, prepare) => {
        await attempt(auth, await prepare(situation));
      },
    );
  });

  describe("the server's state after all attacks", () => {
    test("the victim is still signed in and can sign in again", async () => {
      const headers = { authorization: `Bearer ${situation.victimToken}` };
      const response = await auth.request("user", { headers });
      expect(await response.json()).toMatchObject({ id: situation.victim.id, email: situation.victim.email });
      await sessionOf(auth, situation.victim);
    });

    test("the server mailed only the victim, and only links to the site", () => {
      for (const mail of auth.mails) {
        expect(mail.to).toBe(situation.victim.email);
        expect(mail.text).not.toContain("evil");
        expect(mail.text).toContain(SITE);
      }
    });

    test("a request body with __proto__ does not change the server's prototypes", async () => {
      const polluted =
        '{"data":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}';
      const response = await auth.request("user", {
        method: "PUT",
        headers: { authorization: `Bearer ${situation.attackerToken}` },
        body: polluted,
      });
      expect(response.status).toBe(200);
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
      expect((await auth.request("user")).status).toBe(401);
    });

    test("the log contains no secrets and no auth.failed event", () => {
      const log = auth.lines.join("");
      const { victim, victimToken, victimRefresh, keys } = situation;
      for (const secret of [victim.email, victim.password, victimToken, victimRefresh, keys.jwtSecret]) {
        expect(log).not.toContain(secret);
      }
      expect(log).not.toContain("auth.failed");
    });
  });
}

async function sessionOf(auth: TestAuth, account: Account) {
  const { data, error } = await auth.client().auth.signInWithPassword(account);
  if (error) throw error;
  return data.session;
}

async function readAccounts(auth: TestAuth): Promise<string> {
  const text = `select string_agg(concat_ws(' ', id, email, encrypted_password, role, aud, raw_app_meta_data,
    raw_user_meta_data, banned_until, email_confirmed_at), chr(10) order by id) as all from auth.users`;
  return (await auth.admin.query(text)).rows[0].all;
}

async function attempt(auth: TestAuth, attack: Attack): Promise<void> {
  const before = await readAccounts(auth);
  const { path, method = "POST", headers = {}, body, raw } = attack;
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const init: RequestInit = { method, headers: { "content-type": "application/json", ...headers } };
  if (content !== undefined && method !== "GET") init.body = content as BodyInit;
  const response = await auth.request(path, init);
  const text = await response.text();
  expect([attack.status].flat()).toContain(response.status);
  expect(text).not.toContain("access_token");
  expect(response.headers.get("location") ?? "").not.toContain("access_token");
  // The response must not expose SQL, file names or stack traces.
  expect(text).not.toMatch(/select |insert |auth\.users|node_modules|\.ts:|syntax error|22P02|stack/i);
  expect(await readAccounts(auth)).toBe(before);
}
