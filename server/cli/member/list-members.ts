import type { User } from "@supabase/auth-js";
import type { AdminClient } from "../admin-client.ts";
import { allRows } from "../all-rows.ts";
import { CONTENT_KINDS } from "../content/content-kinds.ts";
import { allMembers } from "../members.ts";
import { printableLine } from "../printable.ts";

const FIFTY_YEARS_MS = 50 * 365 * 24 * 3_600_000;

interface ListedMember {
  id: string;
  email: string;
  name: string;
  articles: number;
  useful_links: number;
  code_samples: number;
  created_at: string;
  last_sign_in_at: string | null;
  state: "active" | "invited" | "suspended";
  suspended_until: string | null;
}

export async function listMembers(site: AdminClient, json: boolean, print: (line: string) => void) {
  const members = await readMembers(site);
  if (json) return print(JSON.stringify(members, undefined, 2));
  for (const member of members) print(lineOf(member));
  if (members.length === 0) print("There are no members yet.");
}

function lineOf(member: ListedMember): string {
  const { email, name, articles, useful_links, code_samples, last_sign_in_at, state } = member;
  const until = isLimited(member.suspended_until) ? ` until ${member.suspended_until.slice(0, 10)}` : "";
  const signedIn = last_sign_in_at?.slice(0, 10) ?? "never";
  return [email, name, articles, useful_links, code_samples, signedIn, state + until]
    .map((column) => printableLine(String(column)))
    .join("\t");
}

/** A suspension without an end is kept as one of a hundred years. */
function isLimited(until: string | null): until is string {
  return until !== null && Date.parse(until) - Date.now() < FIFTY_YEARS_MS;
}

async function readMembers(site: AdminClient): Promise<ListedMember[]> {
  const names = await readNames(site);
  const [articles, links, samples] = await Promise.all([
    countByOwner(site, "articles"),
    countByOwner(site, "useful-links"),
    countByOwner(site, "sample-code"),
  ]);
  const members: ListedMember[] = [];
  for await (const user of allMembers(site)) {
    members.push({
      id: user.id,
      email: user.email ?? "",
      name: names.get(user.id) ?? "",
      articles: articles.get(user.id) ?? 0,
      useful_links: links.get(user.id) ?? 0,
      code_samples: samples.get(user.id) ?? 0,
      created_at: user.created_at,
      last_sign_in_at: user.last_sign_in_at ?? null,
      ...stateOf(user),
    });
  }
  return members;
}

function stateOf({
  banned_until,
  email_confirmed_at,
}: User): Pick<ListedMember, "state" | "suspended_until"> {
  if (banned_until && Date.parse(banned_until) > Date.now()) {
    return { state: "suspended", suspended_until: banned_until };
  }
  return { state: email_confirmed_at ? "active" : "invited", suspended_until: null };
}

async function readNames({ data }: AdminClient): Promise<Map<string, string>> {
  const profiles = await allRows<{ id: string; full_name: string | null; username: string | null }>(
    (first, last) => data.from("profiles").select("id,full_name,username").order("id").range(first, last),
  );
  return new Map(profiles.map(({ id, full_name, username }) => [id, full_name || username || ""]));
}

async function countByOwner(
  { data }: AdminClient,
  type: keyof typeof CONTENT_KINDS,
): Promise<Map<string, number>> {
  const { table, owner } = CONTENT_KINDS[type];
  const rows = await allRows<{ owner: string }>((first, last) =>
    data
      .from(table)
      .select(`id,owner:${owner}`)
      .order("id")
      .range(first, last)
      .overrideTypes<{ owner: string }[], { merge: false }>(),
  );
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row.owner, (counts.get(row.owner) ?? 0) + 1);
  return counts;
}
