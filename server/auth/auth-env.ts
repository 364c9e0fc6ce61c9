import type { Context } from "hono";
import type { PipelineVariables } from "../api/pipeline.ts";
import type { AuthTransaction } from "./auth-transaction.ts";

/** The JSON object in a request's body. */
export type Body = Record<string, unknown>;

interface Member {
  userId: string;
  sessionId: string;
  /** Throws SessionEndedError if the member's session has ended. */
  transaction: AuthTransaction;
}

export interface AuthEnv {
  Variables: PipelineVariables & { member: Member; body: Body };
}

export type AuthHandler = (c: Context<AuthEnv>) => Response | Promise<Response>;
