import { Hono } from "hono";
import { describeSettings, health } from "./about.ts";
import { generateLinkHandler, inviteHandler } from "./admin-links.ts";
import {
  changeUserHandler,
  createUserHandler,
  deleteUserHandler,
  getUserHandler,
  listUsersHandler,
} from "./admin-users.ts";
import { createAuthenticator } from "./auth-context.ts";
import type { AuthEnv } from "./auth-env.ts";
import { errorResponse, toGoTrueError } from "./auth-error.ts";
import { refuseMagicLink, refuseOtp, refuseSignup, refuseUnknown } from "./closed.ts";
import { genuineKey, requireKey, requireMember, requireService } from "./guards.ts";
import { limitHashing } from "./hashing.ts";
import { emptyOrJson, json } from "./json-body.ts";
import { logoutHandler } from "./logout.ts";
import { recoverHandler } from "./recover.ts";
import { type AuthDependencies, createServices } from "./services.ts";
import { cleanUpRegularly } from "./store/cleanup.ts";
import { tokenHandler } from "./token.ts";
import { readUserHandler, updateUserHandler } from "./user.ts";
import { openLinkHandler, verifyHandler } from "./verify.ts";

/** The part of Supabase's auth service that the product needs, for `/auth/v1`, in the order in which members meet it. */
export function createAuth(dependencies: AuthDependencies): Hono<AuthEnv> {
  const services = createServices(dependencies);
  const authenticator = createAuthenticator(services.tokens);
  const key = requireKey(authenticator);
  const member = requireMember(authenticator);
  const service = requireService(authenticator, services.log);
  const hashing = limitHashing(services.database);
  const auth = new Hono<AuthEnv>();

  auth.onError((error, c) => errorResponse(c, toGoTrueError(error, services.log, c.var.requestId)));
  auth.use(async (c, next) => {
    c.header("Cache-Control", "no-store");
    await next();
  });
  auth.use(genuineKey(authenticator));

  auth.get("/health", health);
  auth.get("/settings", describeSettings);

  auth.post("/token", key, json, hashing, tokenHandler(services));
  auth.get("/user", member, readUserHandler(services));
  auth.put("/user", member, json, hashing, updateUserHandler(services));
  auth.post("/logout", member, emptyOrJson, logoutHandler(services));

  auth.post("/recover", key, json, recoverHandler(services));
  auth.get("/verify", openLinkHandler(services));
  auth.post("/verify", key, json, verifyHandler(services));

  auth.post("/invite", service, json, inviteHandler(services));
  auth.use("/admin/*", service);
  auth.post("/admin/generate_link", json, generateLinkHandler(services));
  auth.get("/admin/users", listUsersHandler(services));
  auth.post("/admin/users", json, hashing, createUserHandler(services));
  auth.get("/admin/users/:id", getUserHandler(services));
  auth.put("/admin/users/:id", json, hashing, changeUserHandler(services));
  auth.delete("/admin/users/:id", json, deleteUserHandler(services));

  auth.post("/signup", key, json, refuseSignup);
  auth.post("/otp", key, json, refuseOtp);
  auth.post("/resend", key, json, refuseOtp);
  auth.post("/magiclink", key, json, refuseMagicLink);
  auth.all("*", refuseUnknown);

  cleanUpRegularly(services);
  return auth;
}
