import { hash } from "node:crypto";
import { addressKey } from "../http/client-address.ts";
import type { Counters } from "./counters.ts";

export function createSignInLimits(counters: Counters) {
  const ofAddress = counters("sign-in address", { most: 30, minutes: 5 });
  const ofPair = counters("sign-in email", { most: 10, minutes: 15 });
  // Otherwise members could clear their address's count between guesses at others' passwords, over and over.
  const clearings = counters("sign-in cleared", { most: 1, minutes: 5 });
  return {
    async wait(address: string | undefined, email: string): Promise<number> {
      const waits = [ofAddress.wait(addressKey(address)), ofPair.wait(pairKey(address, email))];
      return Math.max(...(await Promise.all(waits)));
    },
    /** Of many tries at once only the allowed ones get 0. */
    async failed(address: string | undefined, email: string): Promise<number> {
      return (await ofAddress.add(addressKey(address))) || ofPair.add(pairKey(address, email));
    },
    async succeeded(address: string | undefined, email: string): Promise<void> {
      const key = addressKey(address);
      await ofPair.clear(pairKey(address, email));
      if ((await ofAddress.wait(key, 1)) === 0) return;
      if ((await clearings.add(key)) === 0) await ofAddress.clear(key);
    },
  };
}

export function createMailLimits(counters: Counters) {
  const ofAddress = counters("mail address", { most: 30, minutes: 60 });
  const ofPair = counters("mail pair", { most: 5, minutes: 60 });
  const toEmail = counters("mail email", { most: 20, minutes: 60 });
  // One after the other: an address that asks too often adds no keys, and does not count against the e-mail's owner.
  return async (address: string | undefined, email: string): Promise<boolean> =>
    (await ofAddress.add(addressKey(address))) === 0 &&
    (await ofPair.add(pairKey(address, email))) === 0 &&
    (await toEmail.add(emailKey(email))) === 0;
}

/** E-mail addresses are not kept in counters. */
function emailKey(email: string): string {
  return hash("sha256", email, "base64url");
}

function pairKey(address: string | undefined, email: string): string {
  return `${addressKey(address)} ${emailKey(email)}`;
}
