import { createHash } from "node:crypto";
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import { addressKey } from "../http/client-address.ts";
import type { Database } from "../postgres/database.ts";

/** Where counters live: in this process, or in the database that several processes share. */
export type CounterStore = "memory" | Database;

/** Counts failed sign-ins per address, and per e-mail from one address. A success counts for nothing. */
export interface SignInLimits {
  /** Takes who tries which account, returns for how many milliseconds he has to wait; 0: go on. */
  wait(address: string | undefined, email: string): Promise<number>;
  /** Counts a failure, returns like `wait` when it is one too many: of many tries at once only the allowed ones count. */
  failed(address: string | undefined, email: string): Promise<number>;
  /** Clears what was counted. */
  succeeded(address: string | undefined, email: string): Promise<void>;
}

/** Counts mails that anybody may have sent to somebody. */
export interface MailLimits {
  /** Takes who asks for a mail to whom, counts it, returns whether it may be sent. */
  allows(address: string | undefined, email: string): Promise<boolean>;
}

const minute = 60;
const mostOfAddress = 30;
const mostOfEmail = 10;

/** Takes where counters live, returns the limits on sign-in: 30 failures in 5 minutes for an address, 10 in 15 for an e-mail from it. */
export function createSignInLimits(store: CounterStore): SignInLimits {
  const byAddress = createCounter(store, "sign-in address", mostOfAddress, 5 * minute);
  const byEmail = createCounter(store, "sign-in email", mostOfEmail, 15 * minute);
  // Else a member could clear his address's count between guesses at others' passwords, over and over.
  const clearings = createCounter(store, "sign-in cleared", 1, 5 * minute);
  return {
    async wait(address, email) {
      const ofAddress = await byAddress.get(addressKey(address));
      const ofEmail = await byEmail.get(pairKey(address, email));
      return Math.max(waitFrom(mostOfAddress, ofAddress), waitFrom(mostOfEmail, ofEmail));
    },
    async failed(address, email) {
      const ofAddress = await byAddress.penalty(addressKey(address));
      const ofEmail = await byEmail.penalty(pairKey(address, email));
      return Math.max(waitFrom(mostOfAddress + 1, ofAddress), waitFrom(mostOfEmail + 1, ofEmail));
    },
    async succeeded(address, email) {
      await byEmail.delete(pairKey(address, email));
      if ((await byAddress.get(addressKey(address))) === null) return;
      const { consumedPoints } = await clearings.penalty(addressKey(address));
      if (consumedPoints <= 1) await byAddress.delete(addressKey(address));
    },
  };
}

/** Takes where counters live, returns the limits on mails in an hour: 5 to one e-mail from one address, 30 from it in all, 20 to one e-mail. */
export function createMailLimits(store: CounterStore): MailLimits {
  const byPair = createCounter(store, "mail pair", 5, 60 * minute);
  const byAddress = createCounter(store, "mail address", 30, 60 * minute);
  const byEmail = createCounter(store, "mail email", 20, 60 * minute);
  return {
    async allows(address, email) {
      // One after the other: what one address asks too often is not counted against the e-mail's owner.
      const counts: [RateLimiterAbstract, string][] = [
        [byPair, pairKey(address, email)],
        [byAddress, addressKey(address)],
        [byEmail, emailKey(email)],
      ];
      for (const [counter, key] of counts) {
        const { consumedPoints } = await counter.penalty(key);
        if (consumedPoints > counter.points) return false;
      }
      return true;
    },
  };
}

/** Addresses of people are not kept in counters. */
function emailKey(email: string): string {
  return createHash("sha256").update(email).digest("base64url");
}

function pairKey(address: string | undefined, email: string): string {
  return `${addressKey(address)} ${emailKey(email)}`;
}

interface Count {
  consumedPoints: number;
  msBeforeNext: number;
}

/** Takes at which count waiting begins and the count, returns how long it lasts, in milliseconds. */
function waitFrom(threshold: number, count: Count | null): number {
  return count !== null && count.consumedPoints >= threshold ? Math.max(count.msBeforeNext, 1) : 0;
}

function createCounter(
  store: CounterStore,
  keyPrefix: string,
  points: number,
  duration: number,
): RateLimiterAbstract {
  if (store === "memory") return new RateLimiterMemory({ keyPrefix, points, duration });
  return new RateLimiterPostgres({
    keyPrefix,
    points,
    duration,
    schemaName: "auth",
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: false,
    storeType: "client",
    storeClient: asStoreClient(store),
  });
}

/** Takes the database, returns what the limiter asks through. Statements stay unnamed, for poolers in transaction mode. */
function asStoreClient(database: Database) {
  return {
    query: ({ text, values }: { text: string; values?: unknown[] }) =>
      database.transaction({ role: "supabase_auth_admin" }, (client) => client.query(text, values)),
  };
}
