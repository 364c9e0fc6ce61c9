import { createDataClient } from "../../app/data/client.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { Settings } from "../config/settings.ts";
import { createSupabaseProxy } from "./supabase-proxy.ts";
import type { Backend } from "./types.ts";

const LONGEST_READ_MS = 4_500;
const LONGEST_CHECK_MS = 3_000;

const KEY_REFUSED = "does not accept SUPABASE_PUBLISHABLE_KEY: copy it from the project's settings.";
const COMPLAINTS: Record<number, string> = {
  0: "does not respond: check SUPABASE_URL, the network, and whether the project is paused.",
  401: KEY_REFUSED,
  403: KEY_REFUSED,
  404: "lacks the tables: apply the migrations with supabase db push --remote.",
};

type Project = NonNullable<Settings["supabase"]>;

export function supabaseBackend(settings: Settings, project: Project): Backend {
  const { url, publishableKey, secretKey } = project;
  return {
    place: "SUPABASE_URL",
    async start(log) {
      const published = { url, key: publishableKey, invitesWithTokens: true };
      const read: typeof fetch = (input, init) =>
        fetch(input, { ...init, signal: AbortSignal.timeout(LONGEST_READ_MS) });
      return {
        published,
        createRoutes: async ({ onWrite }) => ({
          routes: createSupabaseProxy(url, settings.trustedProxies, log, onWrite),
          data: createDataClient(published, read, false),
        }),
        ready: async () => (await statusOf(project)) === 200,
        close: async () => undefined,
      };
    },
    async check() {
      const status = await statusOf(project);
      if (status === 200) return `${url} answers, takes the key and has the tables.`;
      throw new OperatorError(
        `${url} ${COMPLAINTS[status] ?? `answers with status ${status}: look at the project's own log.`}`,
      );
    },
    async administration() {
      if (secretKey === undefined) {
        throw new OperatorError("SUPABASE_SECRET_KEY is missing: set it to the secret key of the project.");
      }
      return {
        url,
        serviceKey: secretKey,
        whenAbsent: "look at SUPABASE_URL and at the network",
        whenRefused: "set SUPABASE_SECRET_KEY to the secret key of that project",
      };
    },
    async connectAsOwner() {
      throw new OperatorError(
        "With SUPABASE_URL the data lies in the project: use its own backups (its dashboard, or supabase db dump).",
      );
    },
  };
}

async function statusOf({ url, publishableKey }: Project): Promise<number> {
  const { status } = await fetch(`${url}/rest/v1/profiles?select=id&limit=1`, {
    headers: { apikey: publishableKey },
    signal: AbortSignal.timeout(LONGEST_CHECK_MS),
  }).catch(() => ({ status: 0 }));
  return status;
}
