import type { Settings } from "../config/settings.ts";
import { embeddedBackend } from "./embedded.ts";
import { postgresBackend } from "./postgres.ts";
import { supabaseBackend } from "./supabase.ts";
import type { Backend } from "./types.ts";

export function chooseBackend(settings: Settings): Backend {
  if (settings.supabase !== undefined) return supabaseBackend(settings, settings.supabase);
  if (settings.databaseUrl !== undefined) return postgresBackend(settings, settings.databaseUrl);
  return embeddedBackend(settings);
}
