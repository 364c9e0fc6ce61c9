import { type Context, Hono } from "hono";
import type { Settings } from "../config/settings.ts";
import { clientAddress } from "../http/client-address.ts";
import type { Log } from "../http/log.ts";
import { requireFreeSpace } from "../http/require-free-space.ts";
import { RetryLaterError } from "../http/retry-later-error.ts";
import type { Database } from "../postgres/database.ts";
import type { Tokens } from "./access-token.ts";
import { generateLink, invite } from "./admin-links.ts";
import { adminUsers } from "./admin-users.ts";
import { createMailLimits, createSignInLimits } from "./attempt-limits.ts";
import type { AuthEnv, AuthHandler } from "./auth-env.ts";
import { errorResponse, GoTrueError, retryLater, toGoTrueError } from "./auth-error.ts";
import { createAuthTransaction } from "./auth-transaction.ts";
import { createCounters } from "./counters.ts";
import { requireKey, requireMember, requireService } from "./guards.ts";
import { emptyOrJson, json } from "./json-body.ts";
import { limitAccounts } from "./limit-accounts.ts";
import { logout } from "./logout.ts";
import type { Outbox, SendMail } from "./mail.ts";
import { createPasswordCheck } from "./password-check.ts";
import { signIn } from "./password-grant.ts";
import { createPasswords, type Passwords } from "./passwords.ts";
import { recover } from "./recover.ts";
import { cleanUpRegularly } from "./store/cleanup.ts";
import { type SignedIn, sessionBody } from "./store/sessions.ts";
import { token } from "./token.ts";
import { readUser, updateUser } from "./user.ts";
import { previewLink, verify } from "./verify.ts";

export interface AuthDependencies {
  database: Database;
  tokens: Tokens;
  /** HMAC key from which the tokens in mailed links are derived. */
  linkSecret: string;
  settings: Pick<Settings, "siteUrl" | "siteName" | "redirectUrls" | "trustedProxies" | "authLimits">;
  log: Log;
  sendMail: SendMail;
  mailLater: Outbox["mailLater"];
  isDiskFull?: (() => Promise<boolean>) | undefined;
  /** Called after an account was created or deleted, because cached pages may then be out of date. */
  onWrite(): void;
  /** `isLimited` means that the attempt was rejected because too many earlier ones had failed. */
  onSignInFailed?(isLimited: boolean): void;
  passwords?: Passwords;
}

/** Serves `/auth/v1`. docs/decisions/016-sign-in.md lists what isn't supported of Supabase's auth protocol. */
export function createAuth({
  database,
  tokens,
  linkSecret,
  settings,
  log,
  sendMail,
  mailLater,
  isDiskFull,
  onWrite,
  onSignInFailed = () => undefined,
  passwords = createPasswords(),
}: AuthDependencies): Hono<AuthEnv> {
  const transaction = createAuthTransaction(database);
  const addressOf = (c: Context) => clientAddress(c, settings.trustedProxies);
  const toBody = (signedIn: SignedIn) => sessionBody(tokens, `${settings.siteUrl}/auth/v1`, signedIn);
  const counters = createCounters(database);
  const limits = createSignInLimits(counters, settings.authLimits);
  const decideMail = createMailLimits(counters, settings.authLimits);
  const checkPassword = createPasswordCheck(passwords, limits, addressOf, log, onSignInFailed);
  const withPassword = signIn({ transaction, checkPassword, limits, addressOf, sessionBody: toBody, log });
  const linkMaker = { transaction, linkSecret, onWrite };
  const accounts = adminUsers(transaction, passwords, onWrite);
  const key = requireKey(tokens);
  const member = requireMember(tokens, database);
  const service = requireService(tokens, log);
  const account = limitAccounts(settings.trustedProxies);

  const auth = new Hono<AuthEnv>();

  auth.onError((error, c) => {
    const isRefresh = c.req.query("grant_type") === "refresh_token";
    if (error instanceof RetryLaterError) return errorResponse(c, retryLater(error, isRefresh));
    return errorResponse(c, toGoTrueError(error, log, c.var.requestId));
  });
  auth.use(async (c, next) => {
    c.header("Cache-Control", "no-store");
    await next();
  });
  if (isDiskFull !== undefined) auth.use(requireFreeSpace(isDiskFull));

  auth.get("/health", health);
  auth.get("/settings", describeSettings);

  auth.post("/token", key, json, account, token(transaction, toBody, withPassword));
  auth.get("/user", member, account, readUser);
  const update = updateUser({ passwords, checkPassword, settings, sendMail, mailLater });
  auth.put("/user", member, json, account, update);
  auth.post("/logout", member, emptyOrJson, account, logout);

  const recovery = { transaction, settings, linkSecret, decideMail, addressOf, sendMail, mailLater };
  auth.post("/recover", key, json, account, recover(recovery));
  auth.post("/verify", key, json, account, verify(transaction, toBody));
  auth.post("/verify/preview", key, json, account, previewLink(transaction));

  auth.post("/invite", service, json, account, invite(linkMaker, settings, sendMail));
  auth.use("/admin/*", service);
  auth.post("/admin/generate_link", json, account, generateLink(linkMaker, settings));
  auth.get("/admin/users", account, accounts.list);
  auth.post("/admin/users", json, account, accounts.create);
  auth.get("/admin/users/:id", account, accounts.get);
  auth.put("/admin/users/:id", json, account, accounts.change);
  auth.delete("/admin/users/:id", emptyOrJson, account, accounts.remove);

  for (const path of ["/signup", "/otp", "/magiclink"]) auth.post(path, key, json, refuseSignup);
  auth.all("*", refuseUnknown);

  cleanUpRegularly(transaction, log);
  return auth;
}

const health: AuthHandler = (c) =>
  c.json({ name: "Techfolio", description: "Sign-in in the protocol of Supabase's auth service" });

/** Lists the ways to sign in that the site offers, in the format of GoTrue's internal/api/settings.go. */
const describeSettings: AuthHandler = (c) =>
  c.json({
    external: { email: true, phone: false, anonymous_users: false },
    disable_signup: true,
    mailer_autoconfirm: false,
    phone_autoconfirm: false,
    sms_provider: "",
    saml_enabled: false,
  });

/**
 * Sign-up is closed (docs/contract.md, "Running it"). The response doesn't reveal whether the email address has an
 * account.
 */
const refuseSignup: AuthHandler = () => {
  throw new GoTrueError(422, "signup_disabled", "Signups not allowed for this instance");
};

const refuseUnknown: AuthHandler = () => {
  throw new GoTrueError(404, "feature_disabled", "This endpoint is not available");
};
