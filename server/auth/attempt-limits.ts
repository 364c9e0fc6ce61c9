import { hash } from "node:crypto";
import type { ClientBase } from "pg";
import { LIMITS } from "../config/limits.ts";
import { addressKey } from "../http/client-address.ts";
import type { AuthTransaction } from "./auth-env.ts";

/** A limit of `count` events in a period of `minutes` minutes. */
export interface Rate {
  count: number;
  minutes: number;
}

export interface AuthLimits {
  /** Failed sign-ins from one IP address. */
  signInsPerAddress: Rate;
  /** Failed sign-ins from one IP address to one account. */
  signInsPerEmail: Rate;
  mailsPerAddress: Rate;
  /** Recovery emails that one IP address requests for one account. */
  mailsPerAddressAndEmail: Rate;
  mailsPerEmail: Rate;
}

export type SignInLimits = ReturnType<typeof createSignInLimits>;

/**
 * Counts failed sign-ins. Locks the counters of an address before those of an account, because simultaneous sign-ins
 * could otherwise wait for each other's locks.
 */
export function createSignInLimits(limits: Pick<AuthLimits, "signInsPerAddress" | "signInsPerEmail">) {
  const byAddress = createCounter("sign-in address", limits.signInsPerAddress);
  const byAddressAndEmail = createCounter("sign-in email", limits.signInsPerEmail);
  // Limits how often a successful sign-in resets the count of its IP address. Otherwise, a member who guesses other
  // members' passwords could sign in to their own account between guesses to reset the count.
  const resets = createCounter("sign-in cleared", { count: 1, minutes: limits.signInsPerAddress.minutes });
  return {
    /** Returns the milliseconds until this IP address may try to sign in to this account again, or 0. */
    async wait(client: ClientBase, address: string | undefined, email: string): Promise<number> {
      const addressWait = await byAddress.wait(client, addressKey(address));
      return Math.max(addressWait, await byAddressAndEmail.wait(client, pairKey(address, email)));
    },
    /** Counts a failed sign-in. Returns 0 if it is within the limits, otherwise the milliseconds to wait. */
    async failed(client: ClientBase, address: string | undefined, email: string): Promise<number> {
      const addressWait = await byAddress.add(client, addressKey(address));
      return addressWait || byAddressAndEmail.add(client, pairKey(address, email));
    },
    async succeeded(client: ClientBase, address: string | undefined, email: string): Promise<void> {
      const key = addressKey(address);
      const hasFailed = (await byAddress.wait(client, key, 1)) > 0;
      if (hasFailed && (await resets.add(client, key)) === 0) await byAddress.clear(client, key);
      await byAddressAndEmail.clear(client, pairKey(address, email));
    },
  };
}

/**
 * Counts what passkeys need: challenges, which are rows in the database, and failed sign-ins. A challenge allows only
 * one attempt, and signatures can't be guessed, so the limits only bound the work.
 */
export function createPasskeyLimits({ signInsPerAddress }: Pick<AuthLimits, "signInsPerAddress">) {
  const { challengesPerFailure, additions } = LIMITS.passkeys;
  const { count, minutes } = signInsPerAddress;
  const challenges = createCounter("passkey challenge", { count: count * challengesPerFailure, minutes });
  const failures = createCounter("passkey failure", { count, minutes });
  const started = createCounter("passkey addition", additions);
  return {
    /** Counts a challenge for a sign-in. Returns the milliseconds to wait, or 0. */
    async signInStarted(client: ClientBase, address: string | undefined): Promise<number> {
      const key = addressKey(address);
      return (await failures.wait(client, key)) || challenges.add(client, key);
    },
    additionStarted: (client: ClientBase, userId: string) => started.add(client, userId),
    wait: (client: ClientBase, address: string | undefined) => failures.wait(client, addressKey(address)),
    failed: (client: ClientBase, address: string | undefined) => failures.add(client, addressKey(address)),
  };
}

/**
 * How many recovery emails an account still receives once its limit is used up.
 * Without them, an attacker could use up the limit to keep the owner from setting a new password.
 */
const RESENDS: Rate = { count: 1, minutes: 5 };

export type MailDecision = "send" | "resend" | "reject";

export function createEmailLimits(
  transaction: AuthTransaction,
  limits: Pick<AuthLimits, "mailsPerAddress" | "mailsPerAddressAndEmail" | "mailsPerEmail">,
) {
  const byAddress = createCounter("mail address", limits.mailsPerAddress);
  const byAddressAndEmail = createCounter("mail pair", limits.mailsPerAddressAndEmail);
  const byEmail = createCounter("mail email", limits.mailsPerEmail);
  const resends = createCounter("mail resent", RESENDS);
  // A request above one limit doesn't count toward the limits that are checked later. Once an IP address is over its
  // own limits, its requests therefore no longer use up the limits of other people's accounts.
  return (address: string | undefined, email: string): Promise<MailDecision> =>
    transaction(async (client) => {
      if ((await byAddress.add(client, addressKey(address))) > 0) return "reject";
      if ((await byAddressAndEmail.add(client, pairKey(address, email))) > 0) return "reject";
      if ((await byEmail.add(client, emailKey(email))) === 0) return "send";
      return (await resends.add(client, emailKey(email))) === 0 ? "resend" : "reject";
    });
}

/** A digest, because the counters in the database must not contain email addresses. */
function emailKey(email: string): string {
  return hash("sha256", email, "base64url");
}

function pairKey(address: string | undefined, email: string): string {
  return `${addressKey(address)} ${emailKey(email)}`;
}

/**
 * Counts events in the database, so that processes share the counts and a restart keeps them. Each key (such as an IP
 * address) is counted separately.
 */
function createCounter(name: string, { count, minutes }: Rate) {
  async function run(client: ClientBase, text: string, values: unknown[]): Promise<number> {
    const { rows } = await client.query<{ wait: number }>(text, values);
    return rows[0]?.wait ?? 0;
  }
  return {
    /** Returns the milliseconds until the next event is allowed, or 0. `limit` replaces the counter's own limit. */
    wait: (client: ClientBase, key: string, limit = count) =>
      run(client, "select auth.wait_for_attempt($1, $2) as wait", [`${name}:${key}`, limit]),
    /** Counts an event. Returns 0 if it is within the limit, or the milliseconds until the period ends. */
    add: (client: ClientBase, key: string) =>
      run(client, "select auth.count_attempt($1, $2, $3) as wait", [
        `${name}:${key}`,
        count,
        minutes * 60_000,
      ]),
    clear: (client: ClientBase, key: string) =>
      run(client, "delete from auth.rate_limits where key = $1", [`${name}:${key}`]),
  };
}
