import type { Context, MiddlewareHandler } from "hono";
import type { AuthTransaction } from "./auth-transaction.ts";

export type Body = Record<string, unknown>;

interface Member {
  userId: string;
  sessionId: string;
  /** Throws SessionEndedError if the member's session has ended. */
  transaction: AuthTransaction;
}

export interface AuthEnv {
  Variables: { member: Member; body: Body };
}

export type AuthHandler = (c: Context<AuthEnv>) => Response | Promise<Response>;
export type Guard = MiddlewareHandler<AuthEnv>;
