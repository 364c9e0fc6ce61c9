import type { User } from "@supabase/auth-js";
import { type ListedPerson, searchPeople } from "../../../common/data/people-reads.ts";
import { KINDS } from "../../../common/kinds/index.ts";
import type { AdminClient } from "../admin-client.ts";
import { allMembers, allRows } from "../admin-client.ts";
import { printRows } from "../printable.ts";
import type { Invocation } from "../run-command.ts";

/** The most people that one call of the database's search function returns. */
const PAGE_SIZE = 61;
const FIFTY_YEARS_MS = 50 * 365 * 24 * 3_600_000;

export async function listMembers(invocation: Invocation): Promise<void> {
  const { search } = invocation.texts;
  const members = await readMembers(invocation.site);
  const found = search === undefined ? undefined : await findPeople(invocation.site, search);
  const listed = members.filter(({ id }) => found?.has(id) ?? true);
  const empty = found ? "No member matches the search." : "There are no members yet.";
  printRows(invocation, listed, empty, (member) => {
    const { email, name, last_sign_in_at, state } = member;
    const until = hasEnd(member.suspended_until) ? ` until ${member.suspended_until.slice(0, 10)}` : "";
    const signedIn = last_sign_in_at?.slice(0, 10) ?? "never";
    return [email, name, ...KINDS.map(({ table }) => Reflect.get(member, table)), signedIn, state + until];
  });
}

/** Returns the ids of the people that a search on /people finds. */
async function findPeople({ data }: AdminClient, text: string): Promise<Set<string>> {
  const ids = new Set<string>();
  let last: ListedPerson | undefined;
  do {
    const cursor = last ? { key: last.sort_key, id: last.id } : null;
    const people = await searchPeople(data, { text, category: "", sort: "name", cursor, size: PAGE_SIZE });
    for (const { id } of people) ids.add(id);
    last = people.at(-1);
  } while (last);
  return ids;
}

/** Returns false for a suspension without an end, which is stored as one of 100 years. */
function hasEnd(until: string | null): until is string {
  return until !== null && Date.parse(until) - Date.now() < FIFTY_YEARS_MS;
}

/** A profile with the ids of the member's items, by table name. */
interface MemberProfile extends Record<string, unknown> {
  id: string;
  full_name: string | null;
  username: string | null;
}

async function readMembers(site: AdminClient) {
  const columns = ["id,full_name,username", ...KINDS.map(({ table }) => `${table}(id)`)].join();
  const profiles = await allRows<MemberProfile>((first, last) =>
    site.data
      .from("profiles")
      .select(columns)
      .order("id")
      .range(first, last)
      .throwOnError()
      .overrideTypes<MemberProfile[], { merge: false }>(),
  );
  const byId = new Map(profiles.map((profile) => [profile.id, profile]));
  const members = [];
  for await (const user of allMembers(site)) {
    const profile = byId.get(user.id);
    members.push({
      id: user.id,
      email: user.email ?? "",
      name: profile?.full_name || profile?.username || "",
      ...Object.fromEntries(KINDS.map(({ table }) => [table, countOf(profile?.[table])])),
      created_at: user.created_at,
      last_sign_in_at: user.last_sign_in_at ?? null,
      ...stateOf(user),
    });
  }
  return members;
}

const countOf = (rows: unknown) => (Array.isArray(rows) ? rows.length : 0);

function stateOf({ banned_until, email_confirmed_at }: User) {
  if (banned_until && Date.parse(banned_until) > Date.now()) {
    return { state: "suspended", suspended_until: banned_until };
  }
  return { state: email_confirmed_at ? "active" : "invited", suspended_until: null };
}
