import type { Context } from "hono";
import type { ApiEnv } from "../api/pipeline.ts";

export type StorageContext = Context<ApiEnv>;
