import type { Context, MiddlewareHandler } from "hono";
import type { AuthContext } from "../postgres/database.ts";

/** A request's JSON object; its fields are read with the functions of json-body.ts. */
export type Body = Record<string, unknown>;

/** A signed-in member, as the claims of a genuine access token name them. */
export interface Member {
  userId: string;
  sessionId: string;
  /** The database refuses its transactions once the session has ended. */
  authContext: AuthContext;
}

export interface AuthEnv {
  Variables: { requestId: string; member: Member; body: Body };
}

export type AuthHandler = (c: Context<AuthEnv>) => Response | Promise<Response>;
export type Guard = MiddlewareHandler<AuthEnv>;
