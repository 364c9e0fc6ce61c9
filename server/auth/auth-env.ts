import type { Context, MiddlewareHandler } from "hono";
import type { AuthContext } from "../postgres/database.ts";
import type { AuthServices } from "./services.ts";

export type Body = Record<string, unknown>;

export interface Member {
  userId: string;
  sessionId: string;
  /** The database refuses its transactions once the session has ended. */
  authContext: AuthContext;
}

export interface AuthEnv {
  Variables: { services: AuthServices; member: Member; body: Body };
}

export type AuthHandler = (c: Context<AuthEnv>) => Response | Promise<Response>;
export type Guard = MiddlewareHandler<AuthEnv>;
