import { GoTrueAdminApi, isAuthError, type User } from "@supabase/auth-js";
import { PostgrestClient, type PostgrestError } from "@supabase/postgrest-js";
import type { Administration } from "../backends/types.ts";
import { errorMessage } from "../config/error-message.ts";
import { CommandError } from "./command-error.ts";

export interface AdminClient {
  admin: GoTrueAdminApi;
  data: PostgrestClient;
  /** What the site refused, as one sentence with the way out. */
  explain(error: unknown): CommandError;
}

export function createAdminClient(administration: Administration): AdminClient {
  const { url, serviceKey, whenAbsent } = administration;
  let isAbsent = false;
  let lastStatus = 0;
  let isForeign = false;
  const reach: typeof fetch = async (input, init) => {
    try {
      const response = await fetch(input, init);
      lastStatus = response.status;
      isForeign = !/json/.test(response.headers.get("Content-Type") ?? "");
      return response;
    } catch {
      // As an answer: auth-js would write a thrown error to the screen besides returning it.
      isAbsent = true;
      return Response.json({ msg: "" }, { status: 503 });
    }
  };
  const headers = { apikey: serviceKey, Authorization: `Bearer ${serviceKey}` };
  return {
    admin: new GoTrueAdminApi({ url: `${url}/auth/v1`, headers, fetch: reach }),
    data: new PostgrestClient(`${url}/rest/v1`, { headers, fetch: reach, retry: false }),
    explain: (error) =>
      new CommandError(
        isAbsent
          ? `Nobody answers at ${url}: ${whenAbsent}.`
          : reasonOf(error, { ...administration, lastStatus, isForeign }),
      ),
  };
}

function reasonOf(
  error: unknown,
  { url, whenRefused, lastStatus, isForeign }: Administration & { lastStatus: number; isForeign: boolean },
): string {
  const code = isAuthError(error) ? error.code : undefined;
  if (lastStatus === 401 || lastStatus === 403) return `${url} does not accept the key: ${whenRefused}.`;
  if (code === "email_exists") return "There is already a member with this e-mail: use another one.";
  if (lastStatus >= 500) return `${url} cannot answer now: look at its log, or try again.`;
  if (isForeign || error instanceof SyntaxError || (isAuthError(error) && code === undefined))
    return `What answers at ${url} is no Techfolio site.`;
  return errorMessage(error);
}

const USERS_PER_PAGE = 200;

export async function* allMembers({ admin }: AdminClient): AsyncGenerator<User> {
  // Page by page until one is not full: the page numbers that auth-js reports are wrong from 10 on.
  for (let page = 1; ; page += 1) {
    const { data, error } = await admin.listUsers({ page, perPage: USERS_PER_PAGE });
    if (error) throw error;
    yield* data.users;
    if (data.users.length < USERS_PER_PAGE) return;
  }
}

/** The admin API has no search by e-mail. Throws CommandError. */
export async function findMember(site: AdminClient, email: string): Promise<User> {
  const wanted = email.toLowerCase();
  for await (const user of allMembers(site)) if (user.email === wanted) return user;
  throw new CommandError(
    `There is no member with the e-mail ${email}: npm run member -- list shows all of them.`,
  );
}

/** A hosted project cuts every answer at this many rows (supabase/config.toml, `max_rows`). */
const ROWS_PER_PAGE = 1000;

type Answer<Row> = PromiseLike<{ data: Row[] | null; error: PostgrestError | null }>;

/** Asks page by page, with the indexes of the first and last row. The query must be ordered by something unique. */
export async function allRows<Row>(ask: (first: number, last: number) => Answer<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const { data, error } = await ask(rows.length, rows.length + ROWS_PER_PAGE - 1);
    if (error) throw error;
    rows.push(...(data ?? []));
    if ((data ?? []).length < ROWS_PER_PAGE) return rows;
  }
}
