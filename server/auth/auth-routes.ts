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
import { passwordSetEmail } from "./emails.ts";
import { createIdentifiers } from "./identify.ts";
import { join } from "./join.ts";
import { emptyOrJson, json } from "./json-body.ts";
import { logout } from "./logout.ts";
import { PROVIDER } from "./oidc/account.ts";
import { createSingleSignOn } from "./oidc/single-sign-on.ts";
import { finishAddition, startAddition } from "./passkeys/add-passkey.ts";
import { managePasskeys } from "./passkeys/manage-passkeys.ts";
import { createRejectionLog, type PasskeyDependencies } from "./passkeys/passkey-dependencies.ts";
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
  linkKey: string;
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
  linkKey,
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
      secret: linkKey,
      log,
      onWrite,
    });
  const linkDependencies = { transaction, onWrite };
  const accounts = adminUsers(transaction, passwords, onWrite, (requestId, email) => {
    const message = passwordSetEmail(settings, email, `${settings.siteUrl}/profile`);
    sendLater(requestId, "password_set", sendEmail(message));
  });
  const recovery = { transaction, settings, decideEmail, addressOf, sendEmail, sendLater };
  const update = updateUser({ passwords, checkPassword, settings, sendEmail, sendLater });

  const rp = relyingParty(settings);
  const passkeys = managePasskeys({ settings, transaction, sendEmail, sendLater });

  const { identifyKeyHolder, identifyMember, identifyServiceKey, acceptAnyone } = createIdentifiers(pipeline);
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

  const tokenDependencies = {
    transaction,
    sessionBody: toBody,
    checkPassword,
    hasPasswords: settings.passwordSignIn,
    checkProviderSession: signOn?.checkProviderSession,
  };
  const orRefuse = (handler: AuthHandler) => (settings.passwordSignIn ? handler : refusePasswords);
  const protectKeyHolder = protect({ identify: identifyKeyHolder, body: json, limiter });
  const protectSignIn = protect({ identify: identifyKeyHolder, body: json, limiter, disk: "writes" });
  auth.post("/token", protectSignIn, token(tokenDependencies));
  auth.post("/verify", protectSignIn, orRefuse(verify(transaction, toBody)));
  auth.post("/verify/preview", protectKeyHolder, previewLink(transaction, settings.passwordSignIn));
  const protectJoin = protect({ identify: identifyKeyHolder, body: json, limiter, disk: "grows" });
  auth.post(
    "/join",
    protectJoin,
    join({ transaction, passwords, settings, sessionBody: toBody, onWrite, log }),
  );
  auth.post("/recover", protectSignIn, orRefuse(recover(recovery)));
  auth.get("/user", protect({ identify: identifyMember, limiter }), readUser);
  auth.put("/user", protect({ identify: identifyMember, body: json, limiter, disk: "grows" }), update);
  auth.post(
    "/logout",
    protect({ identify: identifyMember, body: emptyOrJson, limiter, disk: "writes" }),
    logout,
  );

  const protectRead = protect({ identify: identifyServiceKey, limiter });
  const protectWrite = protect({ identify: identifyServiceKey, body: json, limiter, disk: "grows" });
  const protectRemoval = protect({
    identify: identifyServiceKey,
    body: emptyOrJson,
    limiter,
    disk: "writes",
  });
  auth.post("/invite", protectWrite, invite(linkDependencies, settings, sendEmail));
  auth.post("/admin/generate_link", protectWrite, generateLink(linkDependencies, settings));
  auth.get("/admin/users", protectRead, accounts.list);
  auth.post("/admin/users", protectWrite, accounts.create);
  auth.get("/admin/users/:id", protectRead, accounts.get);
  auth.put("/admin/users/:id", protectWrite, accounts.change);
  auth.delete("/admin/users/:id", protectRemoval, accounts.remove);
  auth.delete("/admin/users/:id/identities", protectRemoval, accounts.unlink);
  auth.get("/admin/users/:user/passkeys", protectRead, passkeys.listOfUser);
  auth.delete("/admin/users/:user/passkeys/:passkey", protectRemoval, passkeys.removeOfUser);
  auth.use("/admin/*", protectRead);

  if (rp) {
    const dependencies: PasskeyDependencies = {
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
    const protectStartOfAdding = protect({
      identify: identifyMember,
      body: emptyOrJson,
      limiter,
      disk: "grows",
    });
    const protectStart = protect({ identify: identifyKeyHolder, body: emptyOrJson, limiter, disk: "writes" });
    const protectAdding = protect({ identify: identifyMember, body: json, limiter, disk: "grows" });
    const protectSignIn = protect({ identify: identifyKeyHolder, body: json, limiter, disk: "writes" });
    const protectChange = protect({ identify: identifyMember, body: json, limiter, disk: "writes" });
    const protectRemoval = protect({ identify: identifyMember, body: emptyOrJson, limiter, disk: "writes" });
    auth.post("/passkeys/registration/options", protectStartOfAdding, startAddition(dependencies));
    auth.post("/passkeys/registration/verify", protectAdding, finishAddition(dependencies));
    auth.post("/passkeys/authentication/options", protectStart, startSignIn(dependencies));
    auth.post("/passkeys/authentication/verify", protectSignIn, finishSignIn(dependencies, onSignInFailed));
    auth.get("/passkeys", protect({ identify: identifyMember, limiter }), passkeys.list);
    auth.patch("/passkeys/:passkey", protectChange, passkeys.rename);
    auth.delete("/passkeys/:passkey", protectRemoval, passkeys.remove);
  } else {
    auth.all("/passkeys/*", refusePasskeys);
  }

  if (signOn) {
    // A separate limit, because these requests wait for the provider.
    const atProvider = limited(LIMITS.concurrency.singleSignOn);
    const protectAuthorize = protect<AuthEnv>({
      identify: acceptAnyone,
      limiter: atProvider,
      disk: "writes",
    });
    auth.get("/authorize", protectAuthorize, signOn.authorize);
    auth.get("/callback", protectAuthorize, signOn.callback);
    const body = { maxBytes: LIMITS.bodies.accounts };
    const protectNotice = protect<AuthEnv>({
      identify: acceptAnyone,
      body,
      limiter: atProvider,
      disk: "writes",
    });
    auth.post("/backchannel-logout", protectNotice, signOn.logout);
  }

  for (const path of ["/signup", "/otp", "/magiclink"]) auth.post(path, protectKeyHolder, refuseSignup);
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
