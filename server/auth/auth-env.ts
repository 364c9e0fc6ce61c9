import type { Context } from "hono";
import type { PoolClient } from "pg";
import type { PipelineVariables } from "../api/pipeline.ts";
import type { Database } from "../postgres/database.ts";

/** Runs `work` in one transaction, as the role that owns the schema `auth`. */
export type AuthTransaction = <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>;

export function createAuthTransaction(database: Database): AuthTransaction {
  return (work) => database.transaction({ role: "supabase_auth_admin" }, work);
}

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
