import type { Context } from "hono";
import type { AuthContext } from "../postgres/database.ts";

export interface RestEnv {
  Variables: { caller: AuthContext };
}

export type RestContext = Context<RestEnv>;
