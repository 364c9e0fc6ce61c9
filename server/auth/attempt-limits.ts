import { hash } from "node:crypto";
import { addressKey } from "../http/client-address.ts";
import type { Count, Counters } from "./counters.ts";

const MINUTE_MS = 60_000;
const MAX_FAILURES_OF_ADDRESS = 30;
const MAX_FAILURES_OF_PAIR = 10;
const MAX_MAILS_OF_ADDRESS = 30;
const MAX_MAILS_OF_PAIR = 5;
const MAX_MAILS_TO_EMAIL = 20;

export function createSignInLimits(counters: Counters) {
  const ofAddress = counters("sign-in address", 5 * MINUTE_MS);
  const ofPair = counters("sign-in email", 15 * MINUTE_MS);
  // Otherwise members could clear their address's count between guesses at others' passwords, over and over.
  const clearings = counters("sign-in cleared", 5 * MINUTE_MS);
  return {
    async wait(address: string | undefined, email: string): Promise<number> {
      const [byAddress, byPair] = await Promise.all([
        ofAddress.get(addressKey(address)),
        ofPair.get(pairKey(address, email)),
      ]);
      return Math.max(waitAt(MAX_FAILURES_OF_ADDRESS, byAddress), waitAt(MAX_FAILURES_OF_PAIR, byPair));
    },
    /** Of many tries at once only the allowed ones get 0. */
    async failed(address: string | undefined, email: string): Promise<number> {
      const byAddress = waitAt(MAX_FAILURES_OF_ADDRESS + 1, await ofAddress.add(addressKey(address)));
      if (byAddress > 0) return byAddress;
      return waitAt(MAX_FAILURES_OF_PAIR + 1, await ofPair.add(pairKey(address, email)));
    },
    async succeeded(address: string | undefined, email: string): Promise<void> {
      await ofPair.clear(pairKey(address, email));
      if ((await ofAddress.get(addressKey(address))).times === 0) return;
      if ((await clearings.add(addressKey(address))).times === 1) await ofAddress.clear(addressKey(address));
    },
  };
}

export function createMailLimits(counters: Counters) {
  const ofAddress = counters("mail address", 60 * MINUTE_MS);
  const ofPair = counters("mail pair", 60 * MINUTE_MS);
  const toEmail = counters("mail email", 60 * MINUTE_MS);
  // One after the other: an address that asks too often adds no keys, and does not count against the e-mail's owner.
  return async (address: string | undefined, email: string): Promise<boolean> =>
    (await ofAddress.add(addressKey(address))).times <= MAX_MAILS_OF_ADDRESS &&
    (await ofPair.add(pairKey(address, email))).times <= MAX_MAILS_OF_PAIR &&
    (await toEmail.add(emailKey(email))).times <= MAX_MAILS_TO_EMAIL;
}

/** E-mail addresses are not kept in counters. */
function emailKey(email: string): string {
  return hash("sha256", email, "base64url");
}

function pairKey(address: string | undefined, email: string): string {
  return `${addressKey(address)} ${emailKey(email)}`;
}

function waitAt(threshold: number, { times, msLeft }: Count): number {
  return times >= threshold ? Math.max(msLeft, 1) : 0;
}
