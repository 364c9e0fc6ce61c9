import { Hono } from "hono";
import { createDataClient } from "../../app/data/client.ts";
import type { Settings } from "../config/settings.ts";
import type { Log } from "../http/log.ts";
import { createSupabaseProxy } from "./supabase-proxy.ts";
import type { Backend, RunningBackend } from "./types.ts";

const LONGEST_READ_MS = 4_500;
const LONGEST_HEALTH_CHECK_MS = 3_000;

type Project = NonNullable<Settings["supabase"]>;

export function supabaseBackend(settings: Settings, project: Project): Backend {
  return { start: async (log) => serve(settings, project, log) };
}

function serve({ trustedProxies }: Settings, { url, publishableKey }: Project, log: Log): RunningBackend {
  const published = { url, key: publishableKey };
  const read: typeof fetch = (input, init) =>
    fetch(input, { ...init, signal: AbortSignal.timeout(LONGEST_READ_MS) });
  return {
    published,
    demo: undefined,
    createRoutes: async ({ onWrite }) => ({
      routes: new Hono().route("/", createSupabaseProxy({ url, trustedProxies, log, onWrite })),
      data: createDataClient(published, read, publishableKey, false),
    }),
    // Most writes go from browsers straight to the project, unseen by this server.
    follow: () => undefined,
    ready: () => isHealthy(published),
    isDiskFull: () => false,
    connections: () => undefined,
    close: async () => undefined,
  };
}

async function isHealthy({ url, key }: RunningBackend["published"]): Promise<boolean> {
  try {
    const { ok } = await fetch(`${url}/auth/v1/health`, {
      headers: { apikey: key },
      signal: AbortSignal.timeout(LONGEST_HEALTH_CHECK_MS),
    });
    return ok;
  } catch {
    return false;
  }
}
