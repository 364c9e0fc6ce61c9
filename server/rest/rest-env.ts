import type { Context } from "hono";
import type { RequestIdVariables } from "hono/request-id";
import type { AuthContext } from "../postgres/database.ts";

export interface RestEnv {
  Variables: { caller: AuthContext } & Partial<RequestIdVariables>;
}

export type RestContext = Context<RestEnv>;
