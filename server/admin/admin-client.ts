import { type AuthError, GoTrueAdminApi } from "@supabase/auth-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import { StorageClient } from "@supabase/storage-js";
import { BUCKET } from "../../common/pictures/picture-path.ts";
import { OperatorError, TemporaryError } from "../config/operator-error.ts";

const TEMPORARY = 503;
const LIMITED = 429;
const NOT_FOUND = 404;

export type AdminClient = ReturnType<typeof createAdminClient>;

/** How operators' actions reach the site's API, or that of its Supabase project. */
export interface AdminAccess {
  url: string;
  serviceKey: string;
  /** The end of the error message if the site doesn't respond: the remedy. */
  ifUnreachable: string;
  /** The end of the error message if the site rejects the service key: the remedy. */
  ifKeyRejected: string;
  /** Calls the API in this process. Undefined for an API that is reached over the network. */
  fetch?: typeof fetch;
}

/**
 * Creates clients that call the APIs of the running site, or of its Supabase project, with the service key. Requests
 * fail with an OperatorError if the server is down, fails or rejects the key, or if it doesn't have these APIs.
 */
export function createAdminClient(adminAccess: AdminAccess) {
  const { url, serviceKey, ifUnreachable } = adminAccess;
  async function request(input: RequestInfo | URL, init: RequestInit | undefined, accepted?: number) {
    const response = await (adminAccess.fetch ?? fetch)(input, init).catch(() => {
      throw new TemporaryError(`No server responds at ${url}: ${ifUnreachable}.`);
    });
    const problem = response.status === accepted ? undefined : await problemOf(response, adminAccess);
    if (problem !== undefined) throw problem;
    return response;
  }
  const fetchFromSite: typeof fetch = (input, init) => request(input, init);
  // auth-js replaces what `fetch` throws with an error that has only the message, but keeps the status of a response. With
  // 429, it also keeps the code, such as `over_email_send_rate_limit`.
  const fetchForAuth: typeof fetch = (input, init) =>
    request(input, init, LIMITED).catch((error: unknown) => {
      if (!(error instanceof TemporaryError)) throw error;
      return Response.json({ message: error.message }, { status: TEMPORARY });
    });
  const headers = { apikey: serviceKey, Authorization: `Bearer ${serviceKey}` };
  const data = new PostgrestClient(`${url}/rest/v1`, { headers, fetch: fetchFromSite, retry: false });
  return {
    admin: new GoTrueAdminApi({ url: `${url}/auth/v1`, headers, fetch: fetchForAuth }),
    /** Removes a member's accounts at identity providers. */
    async unlinkProviders(id: string): Promise<void> {
      const address = `${url}/auth/v1/admin/users/${id}/identities`;
      // Supabase Auth responds with a 404 that isn't JSON.
      const { ok } = await request(address, { method: "DELETE", headers }, NOT_FOUND);
      if (!ok)
        throw new OperatorError("The Supabase project does not support this: unlink the account there.");
    },
    data,
    pictures: new StorageClient(`${url}/storage/v1`, headers, fetchFromSite).from(BUCKET),
  };
}

async function problemOf(response: Response, { url, ifKeyRejected }: AdminAccess) {
  const { status, ok, headers } = response;
  if (status === 401 || status === 403) {
    return new OperatorError(`${url} does not accept the key: ${ifKeyRejected}.`);
  }
  if (status === 429 || status >= 500) {
    return new TemporaryError(
      `${url} responds with status ${status}: check the log of the site, or try again.`,
    );
  }
  const isJson = /json/.test(headers.get("Content-Type") ?? "");
  const isOurs = isJson || (ok && (await response.clone().text()) === "");
  return isOurs ? undefined : new OperatorError(`The server at ${url} isn't a Techfolio site.`);
}

type Result<Data> = { data: Data; error: null } | { data: unknown; error: AuthError };

/** Returns the data of an auth-js call. Throws OperatorError, or TemporaryError, if the call failed. */
export async function unwrap<Data>(result: Promise<Result<Data>>): Promise<Data> {
  const { data, error } = await result;
  if (error === null) return data;
  if (error.status === TEMPORARY) throw new TemporaryError(error.message);
  if (error.status === LIMITED) {
    throw new TemporaryError(
      `The auth service responds with status 429 (${error.message}): try again later.`,
    );
  }
  throw new OperatorError(authErrorMessage(error));
}

function authErrorMessage({ code, status, message }: AuthError): string {
  if (code === "email_exists") return "There is already a member with this email address: use another one.";
  // The site's errors have a code. auth-js turns the OperatorErrors of `fetchFromSite` into errors with status 0. An
  // error with another status and without a code therefore comes from a different server.
  return code === undefined && status ? "The server isn't a Techfolio site." : message;
}
