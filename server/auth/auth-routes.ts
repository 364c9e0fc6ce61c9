import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { describeSettings, health, keySet } from "./about.ts";
import { generateLinkHandler, inviteHandler } from "./admin-links.ts";
import {
  changeUserHandler,
  createUserHandler,
  deleteUserHandler,
  getUserHandler,
  listUsersHandler,
} from "./admin-users.ts";
import { asGoTrueError, errorResponse, GoTrueError } from "./auth-error.ts";
import {
  refuseMagicLink,
  refuseOtp,
  refuseProvider,
  refuseSignup,
  refuseSso,
  refuseUnknown,
} from "./closed.ts";
import { type AuthEnv, checkApiKey, requestId, requireMember, requireService } from "./guards.ts";
import { mostBodyBytes } from "./json-body.ts";
import { logoutHandler } from "./logout.ts";
import { recoverHandler } from "./recover.ts";
import { type AuthDependencies, createServices } from "./services.ts";
import { pruneRegularly } from "./store/cleanup.ts";
import { tokenHandler } from "./token.ts";
import { readUserHandler, updateUserHandler } from "./user.ts";
import { openLinkHandler, verifyHandler } from "./verify.ts";

/**
 * Takes what it stands on, returns the part of Supabase's auth service that an unmodified auth-js needs, to be
 * mounted at `/auth/v1`. The routes stand in the order in which a member meets them.
 */
export function createAuth(dependencies: AuthDependencies): Hono<AuthEnv> {
  const services = createServices(dependencies);
  const { authenticator, log } = services;
  const auth = new Hono<AuthEnv>();

  auth.onError((error, c) => errorResponse(c, asGoTrueError(error, log, requestId(c))));
  auth.use(async (c, next) => {
    c.header("Cache-Control", "no-store");
    await next();
  });
  // What is announced is refused before the body is touched: the HTTP server then lets it run out and keeps the
  // connection, which a body that was begun and left would end.
  auth.use(async (c, next) => {
    if (Number(c.req.header("content-length")) > mostBodyBytes) refuseLargeBody();
    await next();
  });
  auth.use(bodyLimit({ maxSize: mostBodyBytes, onError: () => refuseLargeBody() }));
  auth.use(checkApiKey(authenticator));

  auth.get("/health", health);
  auth.get("/settings", describeSettings);
  auth.get("/.well-known/jwks.json", keySet);

  auth.post("/token", tokenHandler(services));
  auth.post("/recover", recoverHandler(services));
  auth.get("/verify", openLinkHandler(services));
  auth.post("/verify", verifyHandler(services));

  auth.get("/user", requireMember(authenticator), readUserHandler(services));
  auth.put("/user", requireMember(authenticator), updateUserHandler(services));
  auth.post("/logout", requireMember(authenticator), logoutHandler(services));

  auth.post("/invite", requireService(authenticator), inviteHandler(services));
  auth.use("/admin/*", requireService(authenticator));
  auth.post("/admin/generate_link", generateLinkHandler(services));
  auth.get("/admin/users", listUsersHandler(services));
  auth.post("/admin/users", createUserHandler(services));
  auth.get("/admin/users/:id", getUserHandler(services));
  auth.put("/admin/users/:id", changeUserHandler(services));
  auth.delete("/admin/users/:id", deleteUserHandler(services));

  auth.post("/signup", refuseSignup);
  auth.post("/otp", refuseOtp);
  auth.post("/resend", refuseOtp);
  auth.post("/magiclink", refuseMagicLink);
  auth.post("/sso", refuseSso);
  auth.get("/authorize", refuseProvider);
  auth.all("*", refuseUnknown);

  pruneRegularly(services);
  return auth;
}

function refuseLargeBody(): never {
  const message = `Request body too large (max ${mostBodyBytes} bytes)`;
  throw new GoTrueError(413, "request_entity_too_large", message);
}
