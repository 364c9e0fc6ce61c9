import { type AuthError, GoTrueAdminApi, type User } from "@supabase/auth-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import { StorageClient } from "@supabase/storage-js";
import { ROWS_PER_READ } from "../../common/data/content-reads.ts";
import { BUCKET } from "../../common/pictures/picture-path.ts";
import type { Administration } from "../backends/types.ts";
import { OperatorError } from "../config/operator-error.ts";

export type AdminClient = ReturnType<typeof createAdminClient>;

/**
 * Creates clients that call the APIs of the running site, or of its Supabase project, with the service key. Requests
 * fail with an OperatorError if the server is down, fails or rejects the key, or if it doesn't have these APIs.
 */
export function createAdminClient(administration: Administration) {
  const { url, serviceKey, ifUnreachable } = administration;
  const fetchFromSite: typeof fetch = async (input, init) => {
    const response = await fetch(input, init).catch(() => {
      throw new OperatorError(`No server responds at ${url}: ${ifUnreachable}.`);
    });
    const problem = await problemOf(response, administration);
    if (problem !== undefined) throw new OperatorError(problem);
    return response;
  };
  const headers = { apikey: serviceKey, Authorization: `Bearer ${serviceKey}` };
  return {
    admin: new GoTrueAdminApi({ url: `${url}/auth/v1`, headers, fetch: fetchFromSite }),
    data: new PostgrestClient(`${url}/rest/v1`, { headers, fetch: fetchFromSite, retry: false }),
    pictures: new StorageClient(`${url}/storage/v1`, headers, fetchFromSite).from(BUCKET),
  };
}

async function problemOf(response: Response, { url, ifKeyRejected }: Administration) {
  const { status, ok, headers } = response;
  if (status === 401 || status === 403) return `${url} does not accept the key: ${ifKeyRejected}.`;
  if (status >= 500) return `${url} responds with status ${status}: check the log of the site, or try again.`;
  const isJson = /json/.test(headers.get("Content-Type") ?? "");
  const isOurs = isJson || (ok && (await response.clone().text()) === "");
  return isOurs ? undefined : `The server at ${url} isn't a Techfolio site.`;
}

type Result<Data> = { data: Data; error: null } | { data: unknown; error: AuthError };

/** Returns the data of an auth-js call. Throws OperatorError if the call failed. */
export async function unwrap<Data>(result: Promise<Result<Data>>): Promise<Data> {
  const { data, error } = await result;
  if (error === null) return data;
  throw new OperatorError(reasonOf(error));
}

function reasonOf({ code, status, message }: AuthError): string {
  if (code === "email_exists") return "There is already a member with this email address: use another one.";
  // The site's errors have a code. auth-js turns the OperatorErrors of `fetchFromSite` into errors with status 0. An
  // error with another status and without a code therefore comes from a different server.
  return code === undefined && status ? "The server isn't a Techfolio site." : message;
}

const USERS_PER_PAGE = 200;

export async function* allMembers({ admin }: AdminClient): AsyncGenerator<User> {
  // Read until a page isn't full. auth-js also reports the next page's number, but only its first digit.
  for (let page = 1; ; page += 1) {
    const { users } = await unwrap(admin.listUsers({ page, perPage: USERS_PER_PAGE }));
    yield* users;
    if (users.length < USERS_PER_PAGE) return;
  }
}

/** Searches all members, because auth-js can't ask for a member by email. Throws OperatorError. */
export async function findMember(site: AdminClient, email: string): Promise<User> {
  for await (const user of allMembers(site)) if (user.email === email) return user;
  throw new OperatorError(
    `There is no member with the email address ${email}: npm run member -- list shows all members.`,
  );
}

/**
 * Calls `readPage` with the indexes of each page's first and last row. The last column by which the pages are sorted must
 * be unique: otherwise, a row could be missing, or be on two pages.
 */
export async function allRows<Row>(
  readPage: (first: number, last: number) => PromiseLike<{ data: Row[] }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const { data } = await readPage(rows.length, rows.length + ROWS_PER_READ - 1);
    rows.push(...data);
    if (data.length < ROWS_PER_READ) return rows;
  }
}
