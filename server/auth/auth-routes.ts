import { Hono } from "hono";
import { account, diskSpace } from "../http/admission.ts";
import { AdmissionError } from "../http/admission-error.ts";
import { generateLink, invite } from "./admin-links.ts";
import { changeAccount, createAccount, deleteAccount, getAccount, listAccounts } from "./admin-users.ts";
import type { AuthEnv, AuthHandler } from "./auth-env.ts";
import { errorResponse, GoTrueError, notAdmitted, toGoTrueError } from "./auth-error.ts";
import { requireKey, requireMember, requireService } from "./guards.ts";
import { emptyOrJson, json } from "./json-body.ts";
import { logout } from "./logout.ts";
import { recover } from "./recover.ts";
import { type AuthDependencies, createServices } from "./services.ts";
import { cleanUpRegularly } from "./store/cleanup.ts";
import { token } from "./token.ts";
import { readUser, updateUser } from "./user.ts";
import { verify } from "./verify.ts";

export function createAuth(dependencies: AuthDependencies): Hono<AuthEnv> {
  const services = createServices(dependencies);
  const auth = new Hono<AuthEnv>();

  auth.onError((error, c) => {
    const isRefresh = c.req.query("grant_type") === "refresh_token";
    if (error instanceof AdmissionError) return errorResponse(c, notAdmitted(error, isRefresh));
    return errorResponse(c, toGoTrueError(error, services.log, c.var.requestId));
  });
  auth.use(async (c, next) => {
    c.set("services", services);
    c.header("Cache-Control", "no-store");
    await next();
  });
  auth.use(diskSpace);

  auth.get("/health", health);
  auth.get("/settings", describeSettings);

  auth.post("/token", requireKey, json, account, token);
  auth.get("/user", requireMember, account, readUser);
  auth.put("/user", requireMember, json, account, updateUser);
  auth.post("/logout", requireMember, emptyOrJson, account, logout);

  auth.post("/recover", requireKey, json, account, recover);
  auth.post("/verify", requireKey, json, account, verify);

  auth.post("/invite", requireService, json, account, invite);
  auth.use("/admin/*", requireService);
  auth.post("/admin/generate_link", json, account, generateLink);
  auth.get("/admin/users", account, listAccounts);
  auth.post("/admin/users", json, account, createAccount);
  auth.get("/admin/users/:id", account, getAccount);
  auth.put("/admin/users/:id", json, account, changeAccount);
  auth.delete("/admin/users/:id", json, account, deleteAccount);

  for (const path of ["/signup", "/otp", "/magiclink"]) auth.post(path, requireKey, json, refuseSignup);
  auth.all("*", refuseUnknown);

  cleanUpRegularly(services);
  return auth;
}

const health: AuthHandler = (c) =>
  c.json({ name: "Techfolio", description: "Sign-in in the protocol of Supabase's auth service" });

/** GoTrue, internal/api/settings.go. */
const describeSettings: AuthHandler = (c) =>
  c.json({
    external: { email: true, phone: false, anonymous_users: false },
    disable_signup: true,
    mailer_autoconfirm: false,
    phone_autoconfirm: false,
    sms_provider: "",
    saml_enabled: false,
  });

/** Contract, "Running it". The same for known and unknown addresses. */
const refuseSignup: AuthHandler = () => {
  throw new GoTrueError(422, "signup_disabled", "Signups not allowed for this instance");
};

const refuseUnknown: AuthHandler = () => {
  throw new GoTrueError(404, "feature_disabled", "This endpoint is not available");
};
