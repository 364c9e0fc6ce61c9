import type { Context } from "hono";
import { GoTrueError, invalid, invalidCredentials, tooManyRequests } from "./auth-error.ts";
import { normalizeEmail } from "./email.ts";
import { type AuthEnv, requestId } from "./guards.ts";
import { type Body, readBody, textField } from "./json-body.ts";
import type { AuthServices } from "./services.ts";
import { startSession } from "./store/sessions.ts";

interface Credentials {
  id: string;
  hash: string | null;
}

/**
 * `POST /token?grant_type=password`: e-mail and password for a session (GoTrue, internal/api/token.go). An
 * unknown e-mail and a wrong password take the same way to the same answer.
 */
export async function signIn(c: Context<AuthEnv>, services: AuthServices): Promise<Response> {
  // Its body first: whoever sends it slowly must not take another's place.
  const body = await readBody(c);
  return services.signIns.run(() => checkAndStart(c, services, body));
}

async function checkAndStart(c: Context<AuthEnv>, services: AuthServices, body: Body): Promise<Response> {
  const { transaction, passwords, signInLimits, log, now } = services;
  const typed = textField(body, "email");
  const password = textField(body, "password");
  if (textField(body, "phone") !== "") {
    throw new GoTrueError(422, "phone_provider_disabled", "Phone logins are disabled");
  }
  if (typed === "") throw invalid("missing email or phone");

  const device = services.device(c);
  const email = normalizeEmail(typed);
  const counted = email ?? typed;
  const refuse = (wait: number) => {
    log.warn("sign-in failed", { requestId: requestId(c), address: device.address, limited: wait > 0 });
    services.onSignInFailed?.(wait > 0);
    return wait > 0 ? tooManyRequests(wait) : invalidCredentials();
  };

  const wait = await signInLimits.wait(device.address, counted);
  if (wait > 0) throw refuse(wait);
  const account = await findCredentials(services, email ?? "");
  if (!(await passwords.matches(password, account?.hash)) || !account) {
    throw refuse(await signInLimits.failed(device.address, counted));
  }
  // Whoever tries many passwords at once learns nothing from the right one either, once too many were wrong.
  const late = await signInLimits.wait(device.address, counted);
  if (late > 0) throw refuse(late);

  const signedIn = await transaction(async (client) => {
    // The password may have been changed, the account deleted while the hash was computed. The lock is the one that
    // the change below needs: with a weaker one, two sign-ins of one account would wait for each other.
    const text = `select email_confirmed_at is not null as confirmed from auth.users
      where id = $1 and encrypted_password = $2 for no key update`;
    const [unchanged] = (await client.query<{ confirmed: boolean }>(text, [account.id, account.hash])).rows;
    if (!unchanged) throw invalidCredentials();
    if (!unchanged.confirmed) throw new GoTrueError(400, "email_not_confirmed", "Email not confirmed");
    return startSession(client, account.id, device, now());
  });
  await signInLimits.succeeded(device.address, counted);
  return c.json(await services.sessionBody(signedIn));
}

async function findCredentials(services: AuthServices, email: string): Promise<Credentials | undefined> {
  const text = `select id, encrypted_password as hash from auth.users
    where email = $1 and not is_sso_user and deleted_at is null`;
  const found = await services.transaction((client) => client.query<Credentials>(text, [email]));
  return found.rows[0];
}
