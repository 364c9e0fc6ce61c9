import type { Context } from "hono";
import type { PoolClient } from "pg";
import { asGoTrueError, GoTrueError, invalid } from "./auth-error.ts";
import { requireEmail } from "./email.ts";
import type { AuthEnv } from "./guards.ts";
import { readBody, textField } from "./json-body.ts";
import { safeRedirect } from "./redirects.ts";
import type { AuthServices } from "./services.ts";
import { issueCode, linkKinds, type OpenedLink, pkcePrefix, redeemLinkToken } from "./store/links.ts";
import { type SignedIn, startSession } from "./store/sessions.ts";
import { confirmEmail } from "./store/users.ts";

/** A request to open a link: its token, what for, and the e-mail if the request names one. */
interface Opening {
  token: string;
  type: string;
  email?: string | undefined;
}

/** `POST /verify`: the token of a link for a session, as `verifyOtp` sends it (GoTrue, internal/api/verify.go). */
export function verifyHandler(services: AuthServices) {
  return async (c: Context<AuthEnv>): Promise<Response> => {
    const opening = await readOpening(c);
    const signedIn = await services.transaction(async (client) => {
      const link = await openLink(client, services, opening);
      return startSession(client, link.userId, services.device(c), services.now());
    });
    return c.json(await services.sessionBody(signedIn));
  };
}

async function readOpening(c: Context<AuthEnv>): Promise<Opening> {
  const body = await readBody(c);
  const type = textField(body, "type");
  const token = textField(body, "token");
  const tokenHash = textField(body, "token_hash");
  const email = textField(body, "email");
  if (type === "") throw invalid("Verify requires a verification type");
  if ((token === "") === (tokenHash === "")) throw invalid("Verify requires either a token or a token hash");
  if (tokenHash !== "") {
    if (email !== "" || textField(body, "phone") !== "") {
      throw invalid("Only the token_hash and type should be provided");
    }
    return { type, token: tokenHash };
  }
  if (email === "") throw invalid("Only an email address or phone number should be provided on verify");
  return { type, token, email: requireEmail(email) };
}

/** Uses a link up and confirms the e-mail that it came through. Throws 403 `otp_expired` and 400 `validation_failed`. */
async function openLink(client: PoolClient, services: AuthServices, opening: Opening): Promise<OpenedLink> {
  const kinds = linkKinds(opening.type);
  if (kinds.length === 0) throw invalid("Invalid email verification type");
  const now = services.now();
  const link = await redeemLinkToken(client, opening.token, kinds, opening.email, now);
  if (!link) throw new GoTrueError(403, "otp_expired", "Email link is invalid or has expired");
  await confirmEmail(client, link.userId, now);
  return link;
}

/**
 * `GET /verify`: the link of a mail. It leads on to `redirect_to`, with a code where it was asked for with a
 * challenge, otherwise with the session behind the `#`, or with what is wrong (GoTrue, internal/api/verify.go).
 */
export function openLinkHandler(services: AuthServices) {
  return async (c: Context<AuthEnv>): Promise<Response> => {
    // Programs that look at a link before its reader does must not use it up.
    if (c.req.method === "HEAD") return c.body(null, 204);
    const opening = { token: c.req.query("token") ?? "", type: c.req.query("type") ?? "" };
    if (opening.type === "") throw invalid("Verify requires a verification type");
    if (opening.token === "") throw invalid("Verify requires a token or a token hash");
    const target = new URL(safeRedirect(c.req.query("redirect_to"), services.settings));
    try {
      await (opening.token.startsWith(pkcePrefix)
        ? landWithCode(services, opening, target)
        : landWithSession(services, opening, target, c));
    } catch (error) {
      landWithError(target, asGoTrueError(error, services.log, c.get("requestId")), opening.token);
    }
    return c.redirect(target.href, 303);
  };
}

async function landWithCode(services: AuthServices, opening: Opening, target: URL): Promise<void> {
  const code = await services.transaction(async (client) => {
    const link = await openLink(client, services, opening);
    return issueCode(client, link, services.now());
  });
  if (code === undefined) {
    throw new GoTrueError(400, "flow_state_not_found", "No associated flow state found.");
  }
  target.searchParams.set("code", code);
}

async function landWithSession(
  services: AuthServices,
  opening: Opening,
  target: URL,
  c: Context<AuthEnv>,
): Promise<void> {
  const signedIn: SignedIn = await services.transaction(async (client) => {
    const link = await openLink(client, services, opening);
    return startSession(client, link.userId, services.device(c), services.now());
  });
  const { user: _, ...session } = await services.sessionBody(signedIn);
  const fields = Object.entries({ ...session, type: opening.type, sb: "" });
  target.hash = new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString();
}

const oauthErrors: Record<number, string> = {
  400: "invalid_request",
  403: "access_denied",
  503: "temporarily_unavailable",
};

function landWithError(target: URL, error: GoTrueError, token: string): void {
  const fields = {
    error: oauthErrors[error.status] ?? "server_error",
    error_code: error.code,
    error_description: error.message,
  };
  if (token.startsWith(pkcePrefix)) {
    for (const [name, value] of Object.entries(fields)) target.searchParams.set(name, value);
  }
  target.hash = new URLSearchParams({ ...fields, sb: "" }).toString();
}
