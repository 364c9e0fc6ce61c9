import * as v from "valibot";
import type { SignInMethods } from "../../common/page-services.ts";
import type { Settings } from "../config/settings.ts";

const TIMEOUT_MS = 3_000;
const INTERVAL_MS = 60_000;

/** Assumed until the project has responded. */
const UNKNOWN: SignInMethods = { password: true, passkeys: false, providers: [] };

const SETTINGS = v.object({
  external: v.record(v.string(), v.unknown()),
  // Auth services without passkeys omit it.
  passkeys_enabled: v.optional(v.boolean(), false),
});

/** The entries of `external` that aren't identity providers. */
const OTHERS = new Set(["email", "phone", "anonymous_users"]);

/** Providers for which the capitalized id isn't the name. */
const NAMES: Record<string, string> = {
  azure: "Microsoft",
  github: "GitHub",
  gitlab: "GitLab",
  linkedin: "LinkedIn",
  linkedin_oidc: "LinkedIn",
  slack_oidc: "Slack",
  workos: "WorkOS",
};

type Project = Pick<NonNullable<Settings["supabase"]>, "url" | "publishableKey">;

/**
 * Reads the ways to sign in from the project's settings, now and once a minute. Keeps the last ones while the project
 * doesn't respond. Pages contain them, so that browsers need no request of their own, and the form doesn't change.
 */
export async function watchSignInMethods(project: Project) {
  let methods = (await readSignInMethods(project)) ?? UNKNOWN;
  const timer = setInterval(async () => {
    methods = (await readSignInMethods(project)) ?? methods;
  }, INTERVAL_MS);
  timer.unref();
  return { current: () => methods, stop: () => clearInterval(timer) };
}

async function readSignInMethods({ url, publishableKey }: Project): Promise<SignInMethods | undefined> {
  try {
    const response = await fetch(`${url}/auth/v1/settings`, {
      headers: { apikey: publishableKey },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { success, output } = v.safeParse(SETTINGS, await response.json());
    return response.ok && success ? toMethods(output) : undefined;
  } catch {
    return undefined;
  }
}

function toMethods({ external, passkeys_enabled }: v.InferOutput<typeof SETTINGS>): SignInMethods {
  const enabled = Object.keys(external).filter((id) => external[id] === true && !OTHERS.has(id));
  const providers = enabled.map((id) => ({
    id,
    name: NAMES[id] ?? id.charAt(0).toUpperCase() + id.slice(1),
  }));
  return { password: external["email"] !== false, passkeys: passkeys_enabled, providers };
}
