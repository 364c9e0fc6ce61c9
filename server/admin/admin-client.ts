import { type AuthError, GoTrueAdminApi } from "@supabase/auth-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import { StorageClient } from "@supabase/storage-js";
import { BUCKET } from "../../common/pictures/picture-path.ts";
import { OperatorError, TemporaryError } from "../config/operator-error.ts";

const TEMPORARY = 503;

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
  /**
   * Calls a function of the database that returns `setof json`, with the rights of the service key. The site's own API has
   * only functions that read. A Supabase project's API has all functions, so this is undefined.
   */
  callFunction?: CallFunction;
}

type CallFunction = (name: string, values: Record<string, unknown>) => Promise<unknown[]>;

/**
 * Creates clients that call the APIs of the running site, or of its Supabase project, with the service key. Requests
 * fail with an OperatorError if the server is down, fails or rejects the key, or if it doesn't have these APIs.
 */
export function createAdminClient(adminAccess: AdminAccess) {
  const { url, serviceKey, ifUnreachable } = adminAccess;
  const fetchFromSite: typeof fetch = async (input, init) => {
    const response = await (adminAccess.fetch ?? fetch)(input, init).catch(() => {
      throw new TemporaryError(`No server responds at ${url}: ${ifUnreachable}.`);
    });
    const problem = await problemOf(response, adminAccess);
    if (problem !== undefined) throw problem;
    return response;
  };
  // auth-js replaces what `fetch` throws with an error that has only the message, but keeps the status of a response.
  const fetchForAuth: typeof fetch = (input, init) =>
    fetchFromSite(input, init).catch((error: unknown) => {
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
      const { ok } = await fetchFromSite(address, { method: "DELETE", headers });
      if (!ok)
        throw new OperatorError("The Supabase project does not support this: unlink the account there.");
    },
    data,
    /** Calls a function of the database that may write. The caller knows the rows' type. */
    async callFunction<Row>(name: string, values: Record<string, unknown>): Promise<Row[]> {
      const own = adminAccess.callFunction;
      const rows = own ? own(name, values) : data.rpc(name, values).throwOnError();
      const result = await rows;
      return (Array.isArray(result) ? result : result.data) as Row[];
    },
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
  throw error.status === TEMPORARY
    ? new TemporaryError(error.message)
    : new OperatorError(authErrorMessage(error));
}

function authErrorMessage({ code, status, message }: AuthError): string {
  if (code === "email_exists") return "There is already a member with this email address: use another one.";
  // The site's errors have a code. auth-js turns the OperatorErrors of `fetchFromSite` into errors with status 0. An
  // error with another status and without a code therefore comes from a different server.
  return code === undefined && status ? "The server isn't a Techfolio site." : message;
}
