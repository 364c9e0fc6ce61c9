import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { InvitationLink, JoinState } from "../../common/data/invitation-links.ts";
import { BodyTooLargeError, BodyTooSlowError } from "../api/api-errors.ts";
import type { PipelineVariables, Protect } from "../api/pipeline.ts";
import { normalizeEmail } from "../auth/email-address.ts";
import { joinEmail, joinKnownEmail } from "../auth/emails.ts";
import { JOIN } from "../auth/join.ts";
import { digest, randomToken } from "../auth/opaque-tokens.ts";
import type { SendEmail, UnsentEmails } from "../auth/send-email.ts";
import { pageLink } from "../auth/store/link-tokens.ts";
import { LIMITS } from "../config/limits.ts";
import type { Settings } from "../config/settings.ts";
import { type AdminAccess, type AdminClient, createAdminClient } from "./admin-client.ts";
import { storeEntry } from "./operator-log.ts";

/** How the backend sends the emails of invitation links. */
export interface JoinMail {
  /** Undefined for a Supabase project if the site has no mail server. */
  sendEmail: SendEmail | undefined;
  sendLater: UnsentEmails["sendLater"];
  /**
   * Defined if a Supabase project creates the account and sends its own invitation. Called after the project has sent it, or
   * could not send it.
   */
  onProjectInvitation?: (isSent: boolean) => void;
}

interface JoinEnv {
  Variables: PipelineVariables;
}

interface JoinDependencies {
  settings: Pick<Settings, "siteUrl" | "siteName" | "mailTemplates">;
  adminAccess(): Promise<AdminAccess>;
  mail: JoinMail;
  /** The limits' key for the client's network address. */
  addressOf(c: Context): string;
}

interface JoinFormDependencies extends JoinDependencies {
  protect: Protect;
  limiter: MiddlewareHandler<JoinEnv>;
  /** Renders the page of the link as the response to the sent form. */
  renderPage(c: Context, state: JoinState): Promise<Response>;
}

/** The decision of `public.request_invitation`. */
interface Decision {
  outcome: "closed" | "client" | "address" | "link" | "pending" | "known" | "new";
  /** For `client`: when the client may send the next email. */
  seconds?: number;
  /** For `known` and `new`: the link's id. */
  link?: string;
  /** Whether the email took a place of the link. */
  takes_place?: boolean;
}

/** Returns what the page of the link with this code shows. Throws OperatorError or PostgrestError. */
export function createJoinReader({ settings: { siteName }, adminAccess }: JoinDependencies) {
  return async (code: string): Promise<JoinState> => {
    const link = await findLink(createAdminClient(await adminAccess()), code);
    return link ? { siteName, is: "open", domains: link.domains } : { siteName, is: "invalid" };
  };
}

/**
 * Accepts the form of `/join/{code}` (contract, "Invitation links"). The response and its duration are the same whether the
 * address has an account or not: the database does the same work, and the email is sent after the response.
 */
export function createJoinForm(dependencies: JoinFormDependencies): Hono<JoinEnv> {
  const { settings, protect, limiter, renderPage } = dependencies;
  const form = new Hono<JoinEnv>();
  form.onError((error, c) => {
    if (error instanceof BodyTooLargeError) return c.text("The form is too large\n", 413);
    if (error instanceof BodyTooSlowError) return c.text("The form arrived too slowly\n", 408);
    throw error;
  });
  form.use("/join/*", async (c, next) => {
    await next();
    // The address of the page lets anyone join.
    c.header("Referrer-Policy", "no-referrer");
    c.header("X-Robots-Tag", "noindex");
    c.header("Cache-Control", "no-store");
  });
  form.post(
    "/join/:code",
    rejectOtherSites(settings),
    protect<JoinEnv>({
      identify: () => ({ role: "anon" }),
      body: { maxBytes: LIMITS.joins.bodyBytes },
      limiter,
      disk: "grows",
    }),
    async (c) => {
      const typed = new URLSearchParams(new TextDecoder().decode(c.var.bytes)).get("email") ?? "";
      const { state, status, seconds } = await answer(dependencies, c, typed);
      const page = await renderPage(c, state);
      const response = new Response(page.body, { status: page.status === 200 ? status : page.status });
      for (const [name, value] of page.headers) response.headers.set(name, value);
      if (seconds !== undefined) response.headers.set("Retry-After", String(seconds));
      return response;
    },
  );
  return form;
}

/**
 * Because of the page's Referrer-Policy, browsers send `Origin: null` with its form. They say in `Sec-Fetch-Site` that it is
 * on the same site, but only if the site uses TLS or is on this machine. Without that header, a site without TLS can't tell
 * its own form from another site's with the same policy, and accepts both.
 */
function rejectOtherSites({ siteUrl }: Pick<Settings, "siteUrl">): MiddlewareHandler {
  const isTrustworthy = /^https:|^http:\/\/(localhost|127(\.\d+){3}|\[::1\])(:|$)/.test(siteUrl);
  return async (c, next) => {
    const site = c.req.header("Sec-Fetch-Site");
    const origin = c.req.header("Origin");
    const isOwn =
      site !== undefined
        ? site === "same-origin" || site === "none"
        : origin === undefined ||
          origin === siteUrl ||
          (origin === "null" ? !isTrustworthy : URL.parse(origin)?.host === new URL(c.req.url).host);
    if (isOwn) return next();
    return c.text("This form can only be sent from its own page.\n", 403);
  };
}

interface Answer {
  state: JoinState;
  status: 200 | 404 | 422 | 429;
  seconds?: number | undefined;
}

async function answer(dependencies: JoinDependencies, c: Context, typed: string): Promise<Answer> {
  const { siteName } = dependencies.settings;
  const code = c.req.param("code") ?? "";
  const site = createAdminClient(await dependencies.adminAccess());
  const rejected = (problem: string, status: 422 | 429, seconds?: number): Answer => ({
    state: { siteName, is: "rejected", email: typed.slice(0, 255), problem },
    status,
    seconds,
  });
  const invalid: Answer = { state: { siteName, is: "invalid" }, status: 404 };

  const link = await findLink(site, code);
  if (link === undefined) return invalid;
  const email = normalizeEmail(typed);
  if (email === undefined) return rejected("Enter one email address, such as ada@example.com.", 422);
  const { domains } = link;
  if (domains.length > 0 && !domains.includes(email.slice(email.lastIndexOf("@") + 1))) {
    return rejected(`This link is for addresses at ${domains.join(", ")}.`, 422);
  }
  const token = randomToken();
  const decided = site.data.rpc("request_invitation", {
    code_digest: digest(code),
    address: email,
    client: dependencies.addressOf(c),
    token_digest: digest(token),
    by_project: dependencies.mail.onProjectInvitation !== undefined,
  });
  const decision: Decision = (await decided.throwOnError()).data[0];
  switch (decision.outcome) {
    case "closed":
      return invalid;
    case "client": {
      const minutes = Math.ceil((decision.seconds ?? 0) / 60);
      const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
      const problem = `Your network has requested too many emails. Try again in ${wait}.`;
      return rejected(problem, 429, decision.seconds);
    }
    case "link":
      return rejected(
        "This link has sent as many emails as it may. Ask the person from whom you have it for a new one.",
        429,
      );
    case "known":
    case "new":
      sendEmail(dependencies, site, c.get("requestId"), { ...decision, email, token });
  }
  return { state: { siteName, is: "sent", email }, status: 200 };
}

function sendEmail(
  { settings, mail }: JoinDependencies,
  site: AdminClient,
  requestId: string,
  decision: Decision & { email: string; token: string },
): void {
  const { outcome, email, token } = decision;
  const profile = `${settings.siteUrl}/profile`;
  if (outcome === "known") {
    const sending = mail.sendEmail?.(joinKnownEmail(settings, email, profile));
    if (sending) mail.sendLater(requestId, "join_known", sending);
  } else if (mail.onProjectInvitation) {
    const inviting = invite(site, profile, decision, mail.onProjectInvitation);
    mail.sendLater(requestId, "join", inviting);
  } else if (mail.sendEmail) {
    const message = joinEmail(settings, email, pageLink(profile, { token_hash: token, type: JOIN }));
    mail.sendLater(requestId, "join", mail.sendEmail(message));
  }
}

/** Lets the Supabase project send its own invitation. If that fails, the place becomes free again. */
async function invite(
  site: AdminClient,
  redirectTo: string,
  { email, link = "", takes_place }: Decision & { email: string },
  onInvitation: (isSent: boolean) => void,
): Promise<void> {
  const { data, error } = await site.admin.inviteUserByEmail(email, { redirectTo });
  onInvitation(error === null);
  if (error) {
    if (takes_place) await site.data.rpc("return_place", { link_id: link, address: email });
    throw error;
  }
  const target = { type: "member", id: data.user.id, name: email };
  const actor = { id: data.user.id, name: email };
  await storeEntry(site, actor, { action: "member.invited", target, details: { link } });
}

async function findLink({ data }: AdminClient, code: string): Promise<InvitationLink | undefined> {
  const found = await data.rpc("find_invitation_link", { code_digest: digest(code) }).throwOnError();
  return found.data[0];
}
