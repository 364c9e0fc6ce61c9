import { isUuid } from "../../common/data/addresses.ts";
import type { ListedMember, MemberSort } from "../../common/data/operators.ts";
import { commandLine } from "../config/command-line.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { AdminClient } from "./admin-client.ts";
import { MissingError } from "./missing-error.ts";
import { readAll } from "./read-all.ts";

export const MEMBER_STATES = ["active", "invited", "suspended", "former", "operator"] as const;

type MemberCursor = Pick<ListedMember, "created_at" | "last_sign_in_at" | "storage" | "id">;

export interface MemberQuery {
  search?: string | undefined;
  /** One of MEMBER_STATES. */
  state?: string | undefined;
  sort?: MemberSort | undefined;
  cursor?: MemberCursor | undefined;
  size: number;
}

/** The most rows that `sort_members` returns. Their JSON is far smaller than the data API's limit of 8 MiB. */
const MAX_PAGE = 2_000;

/** Returns the members that follow the cursor's, by default the newest first. Throws OperatorError or PostgrestError. */
export async function listMembers(
  { data }: AdminClient,
  { search = "", state = "", sort = "created", cursor, size }: MemberQuery,
): Promise<ListedMember[]> {
  const sortedBy = sort.replace(/^-/, "");
  const time = sortedBy === "sign-in" ? cursor?.last_sign_in_at : cursor?.created_at;
  const { data: members } = await data
    .rpc("sort_members", {
      search_text: search,
      wanted_state: state,
      sorted_by: sortedBy,
      is_ascending: sort.startsWith("-"),
      page_size: size,
      ...(time && { cursor_time: time }),
      ...(cursor && { cursor_bytes: cursor.storage, cursor_id: cursor.id }),
    })
    .throwOnError();
  return members;
}

/** Returns all members that match, up to `limit`. */
export function allMembers(
  site: AdminClient,
  query: Omit<MemberQuery, "size">,
  limit = Number.POSITIVE_INFINITY,
): Promise<ListedMember[]> {
  return readAll<ListedMember>((size, members) => {
    const cursor = members.at(-1) ?? query.cursor;
    return listMembers(site, { ...query, cursor, size: Math.min(size, MAX_PAGE) });
  }, limit);
}

/** Finds a member by their exact email address. Throws OperatorError if there is none. */
export async function findMember({ data }: AdminClient, email: string): Promise<ListedMember> {
  const { data: members } = await data.rpc("list_members", { wanted_email: email }).throwOnError();
  const [member]: ListedMember[] = members;
  if (member) return member;
  throw new MissingError(`There is no member with the email address ${email}`, listsMembers());
}

export async function findMemberById(site: AdminClient, id: string): Promise<ListedMember> {
  const [member] = isUuid(id) ? await listMembers(site, { search: id, size: 1 }) : [];
  if (member?.id === id.toLowerCase()) return member;
  throw new OperatorError(`There is no member with the ID ${id}.`);
}

/** Finds a member by an email address, an id or a username, with or without `@` before it. Throws OperatorError. */
export async function resolveMember(site: AdminClient, name: string): Promise<ListedMember> {
  if (isUuid(name)) return findMemberById(site, name);
  if (name.lastIndexOf("@") > 0) return findMember(site, name.toLowerCase());
  const username = name.replace(/^@/, "");
  if (isUuid(username)) return findMemberById(site, username);
  // If several members have the username, it belongs to the one who has had it longest (docs/contract.md).
  const namesakes = site.data.from("profiles").select("id").eq("username", username);
  const { data } = await namesakes
    .order("username_since")
    .order("created_at")
    .order("id")
    .limit(1)
    .throwOnError();
  const id: unknown = data[0]?.id;
  if (typeof id === "string") return findMemberById(site, id);
  throw new MissingError(`There is no member with the username ${username}`, listsMembers());
}

const listsMembers = () => `${commandLine("member", "list")} shows all members.`;

const FIFTY_YEARS_MS = 50 * 365 * 24 * 3_600_000;

/** Returns when a suspension ends, or null if it has no end. Such a suspension is stored as one of 100 years. */
export function endOfSuspension({ suspended_until: until }: ListedMember): string | null {
  return until !== null && Date.parse(until) - Date.now() < FIFTY_YEARS_MS ? until : null;
}
