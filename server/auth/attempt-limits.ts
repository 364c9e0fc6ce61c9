import { hash } from "node:crypto";
import { addressKey } from "../http/client-address.ts";
import type { Counters, Rate } from "./counters.ts";

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

export function createSignInLimits(
  counters: Counters,
  limits: Pick<AuthLimits, "signInsPerAddress" | "signInsPerEmail">,
) {
  const byAddress = counters("sign-in address", limits.signInsPerAddress);
  const byAddressAndEmail = counters("sign-in email", limits.signInsPerEmail);
  // Limits how often a successful sign-in resets the count of its IP address. Otherwise, a member who guesses other
  // members' passwords could sign in to their own account between guesses to reset the count.
  const resets = counters("sign-in cleared", { count: 1, minutes: limits.signInsPerAddress.minutes });
  return {
    /** Returns the milliseconds until this IP address may try to sign in to this account again, or 0. */
    async wait(address: string | undefined, email: string): Promise<number> {
      const waits = [byAddress.wait(addressKey(address)), byAddressAndEmail.wait(pairKey(address, email))];
      return Math.max(...(await Promise.all(waits)));
    },
    /** Counts a failed sign-in. Returns 0 if it is within the limits, otherwise the milliseconds to wait. */
    async failed(address: string | undefined, email: string): Promise<number> {
      return (await byAddress.add(addressKey(address))) || byAddressAndEmail.add(pairKey(address, email));
    },
    async succeeded(address: string | undefined, email: string): Promise<void> {
      const key = addressKey(address);
      await byAddressAndEmail.clear(pairKey(address, email));
      if ((await byAddress.wait(key, 1)) === 0) return;
      if ((await resets.add(key)) === 0) await byAddress.clear(key);
    },
  };
}

/**
 * How many recovery emails an account still receives once its limit is used up.
 * Without them, an attacker could use up the limit to keep the owner from setting a new password.
 */
const RESENDS: Rate = { count: 1, minutes: 5 };

export type MailDecision = "send" | "resend" | "reject";

export function createMailLimits(
  counters: Counters,
  limits: Pick<AuthLimits, "mailsPerAddress" | "mailsPerAddressAndEmail" | "mailsPerEmail">,
) {
  const byAddress = counters("mail address", limits.mailsPerAddress);
  const byAddressAndEmail = counters("mail pair", limits.mailsPerAddressAndEmail);
  const byEmail = counters("mail email", limits.mailsPerEmail);
  const resends = counters("mail resent", RESENDS);
  // A request above one limit doesn't count toward the limits that are checked later. Once an IP address is over its
  // own limits, its requests therefore no longer use up the limits of other people's accounts.
  return async (address: string | undefined, email: string): Promise<MailDecision> => {
    if ((await byAddress.add(addressKey(address))) > 0) return "reject";
    if ((await byAddressAndEmail.add(pairKey(address, email))) > 0) return "reject";
    if ((await byEmail.add(emailKey(email))) === 0) return "send";
    return (await resends.add(emailKey(email))) === 0 ? "resend" : "reject";
  };
}

/** A digest, because the counters in the database must not contain email addresses. */
function emailKey(email: string): string {
  return hash("sha256", email, "base64url");
}

function pairKey(address: string | undefined, email: string): string {
  return `${addressKey(address)} ${emailKey(email)}`;
}
