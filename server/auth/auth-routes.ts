import { type Context, Hono } from "hono";
import { handleErrors } from "../api/api-errors.ts";
import type { Pipeline } from "../api/pipeline.ts";
import { type ConcurrencyLimit, LIMITS } from "../config/limits.ts";
import { relyingParty } from "../config/relying-party.ts";
import type { Settings } from "../config/settings.ts";
import { clientAddress } from "../http/client-address.ts";
import { limitComplete } from "../http/limit-concurrency.ts";
import { generateLink, invite } from "./admin-links.ts";
import { adminUsers } from "./admin-users.ts";
import { createEmailLimits, createPasskeyLimits, createSignInLimits } from "./attempt-limits.ts";
import { type AuthEnv, type AuthHandler, createAuthTransaction } from "./auth-env.ts";
import { errorResponse, GoTrueError, passwordsDisabled, toGoTrueError } from "./auth-error.ts";
import { createCallers } from "./callers.ts";
import { passwordSetEmail } from "./emails.ts";
import { emptyOrJson, json } from "./json-body.ts";
import { logout } from "./logout.ts";
import { PROVIDER } from "./oidc/account.ts";
import { createSingleSignOn } from "./oidc/single-sign-on.ts";
import { finishAddition, startAddition } from "./passkeys/add-passkey.ts";
import { managePasskeys } from "./passkeys/manage-passkeys.ts";
import { createRejectionLog, type PasskeyParts } from "./passkeys/passkey-parts.ts";
import { finishSignIn, startSignIn } from "./passkeys/sign-in.ts";
import { createPasswordCheck } from "./password-check.ts";
import { createPasswords, type Passwords } from "./passwords.ts";
import { recover } from "./recover.ts";
import type { SendEmail, UnsentEmails } from "./send-email.ts";
import { type SignedIn, sessionBody } from "./store/sessions.ts";
import { token } from "./token.ts";
import { readUser, updateUser } from "./user.ts";
import { previewLink, verify } from "./verify.ts";

export interface AuthDependencies {
  pipeline: Pipeline;
  /** HMAC key for what a single sign-on keeps between its two requests. */
  linkSecret: string;
  settings: Pick<
    Settings,
    | "siteUrl"
    | "siteName"
    | "mailTemplates"
    | "redirectUrls"
    | "authLimits"
    | "singleSignOn"
    | "passwordSignIn"
  >;
  sendEmail: SendEmail;
  sendLater: UnsentEmails["sendLater"];
  /** Called after an account was created or deleted, because cached pages may then be out of date. */
  onWrite(): void;
  /** `isLimited` means that the attempt was rejected because too many earlier ones had failed. */
  onSignInFailed?(isLimited: boolean): void;
  passwords?: Passwords;
}

/** Serves `/auth/v1`. docs/decisions/016-sign-in.md lists what isn't supported of Supabase's auth protocol. */
export function createAuth({
  pipeline,
  linkSecret,
  settings,
  sendEmail,
  sendLater,
  onWrite,
  onSignInFailed = () => undefined,
  passwords = createPasswords(),
}: AuthDependencies): Hono<AuthEnv> {
  const { protect, database, tokens, log, trustedProxies } = pipeline;
  const transaction = createAuthTransaction(database);
  const addressOf = (c: Context) => clientAddress(c, trustedProxies);
  const toBody = (signedIn: SignedIn) => sessionBody(tokens, `${settings.siteUrl}/auth/v1`, signedIn);
  const limits = createSignInLimits(settings.authLimits);
  const decideEmail = createEmailLimits(transaction, settings.authLimits);
  const check = { transaction, passwords, limits, addressOf, log, onSignInFailed };
  const checkPassword = createPasswordCheck(check);
  const signOn =
    settings.singleSignOn &&
    createSingleSignOn({
      settings: settings.singleSignOn,
      redirects: settings,
      transaction,
      secret: linkSecret,
      log,
      onWrite,
    });
  const linkMaker = { transaction, onWrite };
  const accounts = adminUsers(transaction, passwords, onWrite, (requestId, email) => {
    const message = passwordSetEmail(settings, email, `${settings.siteUrl}/profile`);
    sendLater(requestId, "password_set", sendEmail(message));
  });
  const recovery = { transaction, settings, decideEmail, addressOf, sendEmail, sendLater };
  const update = updateUser({ passwords, checkPassword, settings, sendEmail, sendLater });

  const rp = relyingParty(settings);
  const passkeys = managePasskeys({ settings, transaction, sendEmail, sendLater });

  const { keyHolders, members, serviceKeyHolders, anyone } = createCallers(pipeline);
  const limited = (limit: ConcurrencyLimit) =>
    limitComplete<AuthEnv>(limit, pipeline.addressOf, LIMITS.responses.others);
  // A separate limit for requests with a password, so that refreshes and sign-outs don't wait for hashing.
  const hashing = limited(LIMITS.concurrency.passwords);
  const others = limited(LIMITS.concurrency.accounts);
  const limiter: typeof others = (c, next) =>
    (c.get("body")?.["password"] === undefined ? others : hashing)(c, next);

  const auth = new Hono<AuthEnv>();

  auth.onError(
    handleErrors({
      log,
      event: "auth.failed",
      format(error, c) {
        const isRefresh = c.req.query("grant_type") === "refresh_token";
        return errorResponse(c, toGoTrueError(error, isRefresh));
      },
    }),
  );
  auth.use(async (c, next) => {
    c.header("Cache-Control", "no-store");
    await next();
  });

  auth.get("/health", health);
  auth.get("/settings", describeSettings(settings, rp !== undefined));

  const tokenParts = {
    transaction,
    sessionBody: toBody,
    checkPassword,
    hasPasswords: settings.passwordSignIn,
    checkSession: signOn?.checkSession,
  };
  const orRefuse = (handler: AuthHandler) => (settings.passwordSignIn ? handler : refusePasswords);
  const withKey = protect({ callers: keyHolders, body: json, limiter });
  const signingIn = protect({ callers: keyHolders, body: json, limiter, disk: "writes" });
  auth.post("/token", signingIn, token(tokenParts));
  auth.post("/verify", signingIn, orRefuse(verify(transaction, toBody)));
  auth.post("/verify/preview", withKey, previewLink(transaction));
  auth.post("/recover", signingIn, orRefuse(recover(recovery)));
  auth.get("/user", protect({ callers: members, limiter }), readUser);
  auth.put("/user", protect({ callers: members, body: json, limiter, disk: "grows" }), update);
  auth.post("/logout", protect({ callers: members, body: emptyOrJson, limiter, disk: "writes" }), logout);

  const reading = protect({ callers: serviceKeyHolders, limiter });
  const writing = protect({ callers: serviceKeyHolders, body: json, limiter, disk: "grows" });
  const removing = protect({ callers: serviceKeyHolders, body: emptyOrJson, limiter, disk: "writes" });
  auth.post("/invite", writing, invite(linkMaker, settings, sendEmail));
  auth.post("/admin/generate_link", writing, generateLink(linkMaker, settings));
  auth.get("/admin/users", reading, accounts.list);
  auth.post("/admin/users", writing, accounts.create);
  auth.get("/admin/users/:id", reading, accounts.get);
  auth.put("/admin/users/:id", writing, accounts.change);
  auth.delete("/admin/users/:id", removing, accounts.remove);
  auth.delete("/admin/users/:id/identities", removing, accounts.unlink);
  auth.get("/admin/users/:user/passkeys", reading, passkeys.listOfUser);
  auth.delete("/admin/users/:user/passkeys/:passkey", removing, passkeys.removeOfUser);
  auth.use("/admin/*", reading);

  if (rp) {
    const parts: PasskeyParts = {
      rp,
      settings,
      transaction,
      sessionBody: toBody,
      limits: createPasskeyLimits(settings.authLimits),
      addressOf,
      sendEmail,
      sendLater,
      logged: createRejectionLog(log, addressOf),
    };
    const limiter = limited(LIMITS.concurrency.passkeys);
    const startingToAdd = protect({ callers: members, body: emptyOrJson, limiter, disk: "grows" });
    const starting = protect({ callers: keyHolders, body: emptyOrJson, limiter, disk: "writes" });
    const adding = protect({ callers: members, body: json, limiter, disk: "grows" });
    const signingIn = protect({ callers: keyHolders, body: json, limiter, disk: "writes" });
    const changing = protect({ callers: members, body: json, limiter, disk: "writes" });
    const removing = protect({ callers: members, body: emptyOrJson, limiter, disk: "writes" });
    auth.post("/passkeys/registration/options", startingToAdd, startAddition(parts));
    auth.post("/passkeys/registration/verify", adding, finishAddition(parts));
    auth.post("/passkeys/authentication/options", starting, startSignIn(parts));
    auth.post("/passkeys/authentication/verify", signingIn, finishSignIn(parts, onSignInFailed));
    auth.get("/passkeys", protect({ callers: members, limiter }), passkeys.list);
    auth.patch("/passkeys/:passkey", changing, passkeys.rename);
    auth.delete("/passkeys/:passkey", removing, passkeys.remove);
  } else {
    auth.all("/passkeys/*", refusePasskeys);
  }

  if (signOn) {
    // A separate limit, because these requests wait for the provider.
    const atProvider = limited(LIMITS.concurrency.singleSignOn);
    const opening = protect<AuthEnv>({ callers: anyone, limiter: atProvider, disk: "writes" });
    auth.get("/authorize", opening, signOn.authorize);
    auth.get("/callback", opening, signOn.callback);
    const body = { maxBytes: LIMITS.bodies.accounts };
    const notified = protect<AuthEnv>({ callers: anyone, body, limiter: atProvider, disk: "writes" });
    auth.post("/backchannel-logout", notified, signOn.logout);
  }

  for (const path of ["/signup", "/otp", "/magiclink"]) auth.post(path, withKey, refuseSignup);
  auth.all("*", refuseUnknown);

  return auth;
}

const health: AuthHandler = (c) =>
  c.json({ name: "Techfolio", description: "Sign-in in the protocol of Supabase's auth service" });

/** Lists the ways to sign in that the site offers, in the format of GoTrue's internal/api/settings.go. */
function describeSettings(
  settings: Pick<Settings, "singleSignOn" | "passwordSignIn">,
  hasPasskeys: boolean,
): AuthHandler {
  const { singleSignOn, passwordSignIn } = settings;
  return (c) =>
    c.json({
      external: {
        email: passwordSignIn,
        phone: false,
        anonymous_users: false,
        ...(singleSignOn && { [PROVIDER]: true }),
      },
      disable_signup: true,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
      sms_provider: "",
      saml_enabled: false,
      passkeys_enabled: hasPasskeys,
    });
}

const refusePasswords: AuthHandler = () => {
  throw passwordsDisabled();
};

const refusePasskeys: AuthHandler = () => {
  throw new GoTrueError(404, "passkey_disabled", "Passkeys are disabled");
};

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
