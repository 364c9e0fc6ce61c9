import { Hono } from "hono";
import { account, refuseBusy } from "../http/admission.ts";
import { BusyError } from "../http/lane.ts";
import { describeSettings, health } from "./about.ts";
import { generateLinkHandler, inviteHandler } from "./admin-links.ts";
import {
  changeUserHandler,
  createUserHandler,
  deleteUserHandler,
  getUserHandler,
  listUsersHandler,
} from "./admin-users.ts";
import type { AuthEnv } from "./auth-env.ts";
import { errorResponse, toGoTrueError } from "./auth-error.ts";
import { refuseSignup, refuseUnknown } from "./closed.ts";
import { genuineKey, requireKey, requireMember, requireService } from "./guards.ts";
import { emptyOrJson, json } from "./json-body.ts";
import { logoutHandler } from "./logout.ts";
import { recoverHandler } from "./recover.ts";
import { type AuthDependencies, createServices } from "./services.ts";
import { cleanUpRegularly } from "./store/cleanup.ts";
import { tokenHandler } from "./token.ts";
import { readUserHandler, updateUserHandler } from "./user.ts";
import { openLinkHandler, verifyHandler } from "./verify.ts";

export function createAuth(dependencies: AuthDependencies): Hono<AuthEnv> {
  const services = createServices(dependencies);
  const { tokens, log } = services;
  const key = requireKey(tokens);
  const member = requireMember(tokens);
  const service = requireService(tokens, log);
  const auth = new Hono<AuthEnv>();

  auth.onError((error, c) =>
    error instanceof BusyError
      ? refuseBusy(c, error)
      : errorResponse(c, toGoTrueError(error, log, c.var.requestId)),
  );
  auth.use(async (c, next) => {
    c.header("Cache-Control", "no-store");
    await next();
  });
  auth.use(genuineKey(tokens));

  auth.get("/health", health);
  auth.get("/settings", describeSettings);

  auth.post("/token", key, json, account, tokenHandler(services));
  auth.get("/user", member, account, readUserHandler(services));
  auth.put("/user", member, json, account, updateUserHandler(services));
  auth.post("/logout", member, emptyOrJson, account, logoutHandler(services));

  auth.post("/recover", key, json, account, recoverHandler(services));
  auth.get("/verify", account, openLinkHandler(services));
  auth.post("/verify", key, json, account, verifyHandler(services));

  auth.post("/invite", service, json, account, inviteHandler(services));
  auth.use("/admin/*", service);
  auth.post("/admin/generate_link", json, account, generateLinkHandler(services));
  auth.get("/admin/users", account, listUsersHandler(services));
  auth.post("/admin/users", json, account, createUserHandler(services));
  auth.get("/admin/users/:id", account, getUserHandler(services));
  auth.put("/admin/users/:id", json, account, changeUserHandler(services));
  auth.delete("/admin/users/:id", json, account, deleteUserHandler(services));

  for (const path of ["/signup", "/otp", "/magiclink"]) auth.post(path, key, json, refuseSignup);
  auth.all("*", refuseUnknown);

  cleanUpRegularly(services);
  return auth;
}
