import type { PoolClient } from "pg";
import * as v from "valibot";
import type { AuthHandler, Body } from "./auth-env.ts";
import { GoTrueError, invalid, toGoTrueError } from "./auth-error.ts";
import { requireEmail } from "./email.ts";
import { read, text } from "./json-body.ts";
import { safeRedirect } from "./redirects.ts";
import type { AuthServices } from "./services.ts";
import { issueCode } from "./store/codes.ts";
import { isLinkKind, PKCE_PREFIX, redeemLinkToken } from "./store/link-tokens.ts";
import { startSession } from "./store/sessions.ts";
import { changeUser } from "./store/users.ts";

interface Opening {
  token: string;
  type: string;
  email?: string;
}

/** The token of a link for a session, as `verifyOtp` sends it (GoTrue, internal/api/verify.go). */
export const verify: AuthHandler = async (c) =>
  c.json(await signInByLink(c.var.services, readOpening(c.var.body)));

const BODY = v.object({ type: text, token: text, token_hash: text, email: text, phone: text });

function readOpening(body: Body): Opening {
  const { type, token, token_hash, email, phone } = read(body, BODY);
  if (type === "") throw invalid("Verify requires a verification type");
  if ((token === "") === (token_hash === "")) throw invalid("Verify requires either a token or a token hash");
  if (token_hash !== "") {
    if (email === "" && phone === "") return { type, token: token_hash };
    throw invalid("Only the token_hash and type should be provided");
  }
  if (email === "") throw invalid("Only an email address or phone number should be provided on verify");
  return { type, token, email: requireEmail(email) };
}

async function signInByLink({ transaction, sessionBody }: AuthServices, opening: Opening) {
  const signedIn = await transaction(async (client) => startSession(client, await openLink(client, opening)));
  return sessionBody(signedIn);
}

/** Uses a link up, confirms the e-mail that it came through and returns whose it was. Throws 403 `otp_expired`. */
async function openLink(client: PoolClient, { token, type: kind, email }: Opening): Promise<string> {
  if (!isLinkKind(kind)) throw invalid("Invalid email verification type");
  const userId = await redeemLinkToken(client, { token, kind, email });
  if (userId === undefined) throw new GoTrueError(403, "otp_expired", "Email link is invalid or has expired");
  await changeUser(client, userId, { isConfirmed: true });
  return userId;
}

/** Redirects with a code where the link was asked for with a challenge, otherwise with a session behind the `#`. */
export const openVerifyLink: AuthHandler = async (c) => {
  // Mail scanners must not use the link up.
  if (c.req.method === "HEAD") return c.body(null, 204);
  const { services, requestId } = c.var;
  const opening = { token: c.req.query("token") ?? "", type: c.req.query("type") ?? "" };
  if (opening.type === "") throw invalid("Verify requires a verification type");
  if (opening.token === "") throw invalid("Verify requires a token or a token hash");
  const target = new URL(safeRedirect(c.req.query("redirect_to"), services.settings));
  const hasChallenge = opening.token.startsWith(PKCE_PREFIX);
  try {
    if (hasChallenge) target.searchParams.set("code", await codeOfLink(services, opening));
    else target.hash = await sessionFragment(services, opening);
  } catch (error) {
    const fields = errorFields(toGoTrueError(error, services.log, requestId));
    if (hasChallenge)
      for (const [name, value] of Object.entries(fields)) target.searchParams.set(name, value);
    target.hash = new URLSearchParams({ ...fields, sb: "" }).toString();
  }
  return c.redirect(target.href, 303);
};

async function codeOfLink({ transaction }: AuthServices, opening: Opening): Promise<string> {
  const code = await transaction(async (client) => issueCode(client, await openLink(client, opening)));
  if (code !== undefined) return code;
  throw new GoTrueError(400, "flow_state_not_found", "No associated flow state found.");
}

async function sessionFragment(services: AuthServices, opening: Opening): Promise<string> {
  const { user: _, ...session } = await signInByLink(services, opening);
  const fields = Object.entries({ ...session, type: opening.type, sb: "" });
  return new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString();
}

const OAUTH_ERRORS: Record<number, string> = {
  400: "invalid_request",
  403: "access_denied",
  503: "temporarily_unavailable",
};

function errorFields({ status, code, message }: GoTrueError): Record<string, string> {
  const error = OAUTH_ERRORS[status] ?? "server_error";
  return { error, error_code: code, error_description: message };
}
