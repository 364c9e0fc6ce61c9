import type { PoolClient } from "pg";
import type { Database } from "../postgres/database.ts";

/** Runs `work` in one transaction, as the role that owns the schema `auth`. */
export type AuthTransaction = <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>;

export function createAuthTransaction(database: Database): AuthTransaction {
  return (work) => database.transaction({ role: "supabase_auth_admin" }, work);
}
