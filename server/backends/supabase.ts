import { createDataClient } from "../../common/data/client.ts";
import { readerOf } from "../../common/data/postgrest-reader.ts";
import type { AdminAccess } from "../admin/admin-client.ts";
import { operatorsInProject } from "../admin/operator.ts";
import { createProtect } from "../api/pipeline.ts";
import { createEmailSender, trackUnsentEmails } from "../auth/send-email.ts";
import { OperatorError } from "../config/operator-error.ts";
import { hasDomain } from "../config/relying-party.ts";
import type { Settings } from "../config/settings.ts";
import { createSupabaseProxy } from "./supabase-proxy.ts";
import { watchSignInMethods } from "./supabase-sign-in.ts";
import type { Backend } from "./types.ts";

const READ_TIMEOUT_MS = 4_500;
const CHECK_TIMEOUT_MS = 3_000;

const KEY_REJECTED = "does not accept SUPABASE_PUBLISHABLE_KEY: copy it from the project's settings.";
const PROBLEMS: Record<number, string> = {
  0: "does not respond: check SUPABASE_URL, the network, and whether the project is paused.",
  401: KEY_REJECTED,
  403: KEY_REJECTED,
  404: "lacks the tables: apply the migrations with supabase db push --remote.",
};

type Project = NonNullable<Settings["supabase"]>;

export function supabaseBackend(settings: Settings, project: Project): Backend {
  const { url, publishableKey, secretKey } = project;
  async function adminAccess(): Promise<AdminAccess> {
    if (secretKey === undefined) {
      throw new OperatorError("SUPABASE_SECRET_KEY is missing: set it to the project's secret key.");
    }
    return {
      url,
      serviceKey: secretKey,
      ifUnreachable: "check SUPABASE_URL and the network",
      ifKeyRejected: "set SUPABASE_SECRET_KEY to the secret key of that project",
    };
  }

  return {
    location: "SUPABASE_URL",
    async start({ events, log }) {
      const methods = await watchSignInMethods(project);
      const unsentEmails = trackUnsentEmails(log);
      const published = { url, key: publishableKey, invitesWithTokens: true };
      const read: typeof fetch = (input, init) =>
        fetch(input, { ...init, signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
      const { trustedProxies } = settings;
      return {
        routes: createSupabaseProxy(url, trustedProxies, log, () => void events.emit("write")),
        data: readerOf(createDataClient(published, read, false)),
        published,
        signInMethods() {
          const current = methods.current();
          return { ...current, passkeys: current.passkeys && hasDomain(settings.siteUrl) };
        },
        protect: createProtect({ trustedProxies }),
        operators: operatorsInProject(published),
        adminAccess,
        joinMail: {
          sendEmail:
            settings.smtp &&
            createEmailSender(
              settings,
              log,
              () => undefined,
              (isSent) => void events.emit("email", isSent),
            ),
          sendLater: unsentEmails.sendLater,
          onProjectInvitation: (isSent) => void events.emit("email", isSent),
        },
        ready: async () => (await statusOf(project)) === 200,
        async close(deadline) {
          methods.stop();
          await unsentEmails.wait(deadline);
        },
      };
    },
    async check() {
      const status = await statusOf(project);
      if (status === 200) {
        const text = `${url} responds, accepts the key and has the tables.`;
        return [{ topic: "data", isProblem: false, text }];
      }
      throw new OperatorError(
        `${url} ${PROBLEMS[status] ?? `responds with status ${status}: check the project's log.`}`,
      );
    },
    adminAccess,
    async connectAsOwner() {
      throw new OperatorError(
        "With SUPABASE_URL, the data is in the Supabase project: use its own backups (in the dashboard, or supabase db dump).",
      );
    },
  };
}

async function statusOf({ url, publishableKey }: Project): Promise<number> {
  const { status } = await fetch(`${url}/rest/v1/profiles?select=id&limit=1`, {
    headers: { apikey: publishableKey },
    signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
  }).catch(() => ({ status: 0 }));
  return status;
}
