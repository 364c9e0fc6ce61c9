import * as v from "valibot";
import { errorName } from "../config/error-message.ts";
import type { AuthHandler } from "./auth-env.ts";
import { GoTrueError, invalid, invalidCredentials, tooManyRequests } from "./auth-error.ts";
import { normalizeEmail } from "./email.ts";
import { read, text } from "./json-body.ts";
import type { AuthServices } from "./services.ts";
import { type SignedIn, startSession } from "./store/sessions.ts";

interface Credentials {
  id: string;
  hash: string | null;
}

const BODY = v.object({ email: text, password: text, phone: text });

/** An unknown e-mail and a wrong password take the same way to the same answer. */
export const signIn: AuthHandler = async (c) => {
  const { requestId, services } = c.var;
  const { passwords, signInLimits, log } = services;
  const address = services.addressOf(c);
  const { email: typed, password, phone } = read(c.var.body, BODY);
  if (phone !== "") throw new GoTrueError(422, "phone_provider_disabled", "Phone logins are disabled");
  if (typed === "") throw invalid("missing email or phone");

  const email = normalizeEmail(typed);
  const counted = email ?? typed;
  const refuse = (waitMs: number) => {
    log.warn({ requestId, address, limited: waitMs > 0 }, "sign_in.failed");
    services.onSignInFailed?.(waitMs > 0);
    return waitMs > 0 ? tooManyRequests(waitMs) : invalidCredentials();
  };

  const waitMs = await signInLimits.wait(address, counted);
  if (waitMs > 0) throw refuse(waitMs);
  const account = await findCredentials(services, email ?? "");
  const matches = password !== "" && (await passwords.matches(password, account?.hash));
  if (!matches || !account) throw refuse(await signInLimits.failed(address, counted));
  // Many guesses at once learn nothing from the right one either, once too many were wrong.
  const lateWaitMs = await signInLimits.wait(address, counted);
  if (lateWaitMs > 0) throw refuse(lateWaitMs);

  const signedIn = await openSession(services, account);
  await signInLimits.succeeded(address, counted).catch((error: unknown) => {
    log.warn({ requestId, reason: errorName(error) }, "sign_in.counter_kept");
  });
  return c.json(await services.sessionBody(signedIn));
};

async function findCredentials({ transaction }: AuthServices, email: string) {
  const query = `select id, encrypted_password as hash from auth.users
    where email = $1 and not is_sso_user and deleted_at is null`;
  return (await transaction((client) => client.query<Credentials>(query, [email]))).rows[0];
}

/** Checks again what may have changed while the hash was computed. */
function openSession({ transaction }: AuthServices, { id, hash }: Credentials): Promise<SignedIn> {
  // The lock that startSession needs; with a weaker one, two sign-ins of one account would deadlock.
  const query = `select email_confirmed_at is not null as confirmed from auth.users
    where id = $1 and encrypted_password = $2 for no key update`;
  return transaction(async (client) => {
    const [unchanged] = (await client.query<{ confirmed: boolean }>(query, [id, hash])).rows;
    if (!unchanged) throw invalidCredentials();
    if (!unchanged.confirmed) throw new GoTrueError(400, "email_not_confirmed", "Email not confirmed");
    return startSession(client, id);
  });
}
