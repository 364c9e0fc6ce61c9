import { access } from "node:fs/promises";
import path from "node:path";
import { type AuthError, GoTrueAdminApi, isAuthError } from "@supabase/auth-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import { errorMessage } from "../../config/error-message.ts";
import { loadKeys } from "../../config/keys.ts";
import { origin, type Settings } from "../../config/settings.ts";
import { MemberError } from "./member-error.ts";

/** The running site, or the Supabase project in its place, with the key that may do everything. */
export interface Site {
  admin: GoTrueAdminApi;
  data: PostgrestClient;
  /** Takes what the site refused, returns why in one line, with the way out. */
  explain(error: unknown): MemberError;
}

interface Place {
  url: string;
  key: string;
  /** What to look at when nobody answers, and when the key is not accepted. */
  whenAbsent: string;
  whenRefused: string;
}

/** Takes the settings, returns the site they name. Throws MemberError when its key cannot be found. */
export async function connect(settings: Settings): Promise<Site> {
  const place = settings.supabase ? projectOf(settings.supabase) : await builtInSite(settings);
  const { url, key } = place;
  let isAbsent = false;
  const reach: typeof fetch = async (input, init) => {
    try {
      return await fetch(input, init);
    } catch {
      // As an answer: auth-js would write a thrown error to the screen besides returning it.
      isAbsent = true;
      return Response.json({ msg: "" }, { status: 503 });
    }
  };
  const headers = { apikey: key, Authorization: `Bearer ${key}` };
  return {
    admin: new GoTrueAdminApi({ url: `${url}/auth/v1`, headers, fetch: reach }),
    data: new PostgrestClient(`${url}/rest/v1`, { headers, fetch: reach }),
    explain: (error) =>
      new MemberError(isAbsent ? `Nobody answers at ${url}: ${place.whenAbsent}.` : reasonOf(error, place)),
  };
}

function projectOf({ url, secretKey }: NonNullable<Settings["supabase"]>): Place {
  if (secretKey === undefined) {
    throw new MemberError("SUPABASE_SECRET_KEY is missing: set it to the secret key of the project.");
  }
  return {
    url,
    key: secretKey,
    whenAbsent: "look at SUPABASE_URL and at the network",
    whenRefused: "set SUPABASE_SECRET_KEY to the secret key of that project",
  };
}

async function builtInSite(settings: Settings): Promise<Place> {
  const { dataDir, authJwtSecret } = settings;
  const url = origin(settings.host, settings.port);
  // Only the site makes keys: made here they would be of no use to it.
  const hasKeys = authJwtSecret !== undefined || (await exists(path.join(dataDir, "keys.json")));
  if (!hasKeys) {
    throw new MemberError(`There are no keys in ${dataDir}: start the site first, or set its DATA_DIR.`);
  }
  return {
    url,
    key: (await loadKeys(settings)).serviceKey,
    whenAbsent: "start the site with npm start, or set PORT and HOST as the site has them",
    whenRefused: "set DATA_DIR or AUTH_JWT_SECRET as the site has them",
  };
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function reasonOf(error: unknown, { url, whenRefused }: Place): string {
  const { status, code } = isAuthError(error) ? error : ({} as Partial<AuthError>);
  if (status === 401 || status === 403) return `${url} does not accept the key: ${whenRefused}.`;
  if (code === "email_exists") return "There is already a member with this e-mail: use another one.";
  if (status !== undefined && status >= 500)
    return `${url} cannot answer now: look at its log, or try again.`;
  // An answer that is not in the protocol has no code, or cannot even be parsed.
  if (error instanceof SyntaxError || (isAuthError(error) && code === undefined))
    return `What answers at ${url} is no Techfolio site.`;
  return errorMessage(error);
}
