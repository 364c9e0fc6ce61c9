import type { Context } from "hono";
import type { AuthContext } from "../postgres/database.ts";

export interface StorageEnv {
  Variables: { caller: AuthContext };
}

export type StorageContext = Context<StorageEnv>;
