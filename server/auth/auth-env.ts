import type { Context, MiddlewareHandler } from "hono";
import type { AuthServices } from "./services.ts";

export type Body = Record<string, unknown>;

interface Member {
  userId: string;
  sessionId: string;
  /** The database refuses it once the session has ended. */
  transaction: AuthServices["transaction"];
}

export interface AuthEnv {
  Variables: { services: AuthServices; member: Member; body: Body };
}

export type AuthHandler = (c: Context<AuthEnv>) => Response | Promise<Response>;
export type Guard = MiddlewareHandler<AuthEnv>;
