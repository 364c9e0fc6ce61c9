import type { Context } from "hono";
import type { ClientBase } from "pg";
import * as v from "valibot";
import { errorName } from "../config/error-message.ts";
import type { AuthEnv, AuthHandler } from "./auth-env.ts";
import { GoTrueError, invalid, invalidCredentials, tooManyRequests } from "./auth-error.ts";
import { normalizeEmail } from "./email.ts";
import { read, text } from "./json-body.ts";
import { type SignedIn, startSession } from "./store/sessions.ts";

interface Credentials {
  id: string | null;
  hash: string | null;
}

const BODY = v.object({ email: text, password: text, phone: text });

/** An unknown e-mail and a wrong password take the same way to the same answer. */
export const signIn: AuthHandler = async (c) => {
  const { transaction, signInLimits, addressOf, sessionBody, log } = c.var.services;
  const { email: typed, password, phone } = read(c.var.body, BODY);
  if (phone !== "") throw new GoTrueError(422, "phone_provider_disabled", "Phone logins are disabled");
  if (typed === "") throw invalid("missing email or phone");
  const email = normalizeEmail(typed);
  const query = `select id, encrypted_password as hash from auth.users
    where email = $1 and not is_sso_user and deleted_at is null`;
  const { rows } = await transaction((client) => client.query<Credentials>(query, [email]));
  const known = rows[0] ?? { id: null, hash: null };
  await checkPassword(c, email ?? typed, password, known.hash, invalidCredentials());
  const signedIn = await transaction((client) => openSession(client, known));
  await signInLimits.succeeded(addressOf(c), email ?? typed).catch((error: unknown) => {
    log.warn({ requestId: c.var.requestId, reason: errorName(error) }, "sign_in.counter_kept");
  });
  return c.json(await sessionBody(signedIn));
};

/** Throws 429 beyond the limits on sign-in, and `wrong`, which it counts. Not in a transaction: hashing takes a while. */
export async function checkPassword(
  c: Context<AuthEnv>,
  email: string,
  password: string,
  hash: string | null,
  wrong: GoTrueError,
): Promise<void> {
  const { requestId, services } = c.var;
  const { passwords, signInLimits, log } = services;
  const address = services.addressOf(c);
  const refuse = (waitMs: number) => {
    log.warn({ requestId, address, limited: waitMs > 0 }, "sign_in.failed");
    services.onSignInFailed?.(waitMs > 0);
    return waitMs > 0 ? tooManyRequests(waitMs) : wrong;
  };
  const waitMs = await signInLimits.wait(address, email);
  if (waitMs > 0) throw refuse(waitMs);
  if (!(await passwords.matches(password, hash))) throw refuse(await signInLimits.failed(address, email));
  // Many guesses at once learn nothing from the right one either, once too many were wrong.
  const lateWaitMs = await signInLimits.wait(address, email);
  if (lateWaitMs > 0) throw refuse(lateWaitMs);
}

/** Checks again what may have changed while the hash was computed. */
async function openSession(client: ClientBase, { id, hash }: Credentials): Promise<SignedIn> {
  // The lock that startSession needs; with a weaker one, two sign-ins of one account would deadlock.
  const query = `select id, email_confirmed_at is not null as confirmed from auth.users
    where id = $1 and encrypted_password = $2 for no key update`;
  const [unchanged] = (await client.query<{ id: string; confirmed: boolean }>(query, [id, hash])).rows;
  if (!unchanged) throw invalidCredentials();
  if (!unchanged.confirmed) throw new GoTrueError(400, "email_not_confirmed", "Email not confirmed");
  return startSession(client, unchanged.id);
}
