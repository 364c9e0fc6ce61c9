import { storedName } from "../../../common/data/author.ts";
import type { ListedMember } from "../../../common/data/operators.ts";
import { KINDS } from "../../../common/kinds/index.ts";
import { contentAmount, stateText } from "../../admin/member-actions.ts";
import { allMembers, findMember, findMemberById, MEMBER_STATES } from "../../admin/members.ts";
import { countPasskeys } from "../../admin/passkeys.ts";
import { UsageError } from "../../config/operator-error.ts";
import { printableLine, printRows } from "../printable.ts";
import { type Invocation, readLimit } from "../run-command.ts";

const HEADER = ["email", "name", ...KINDS.map(({ table }) => table), "last sign-in"];

/** What members read who don't use an identity provider. */
const PASSWORD = "password";

export async function listMembers({ site, texts, ...invocation }: Invocation): Promise<void> {
  const { search, state, after } = texts;
  const limit = readLimit(texts["limit"]);
  if (state && !MEMBER_STATES.some((memberState) => memberState === state)) {
    throw new UsageError(`"list": --state must be one of ${MEMBER_STATES.join(", ")}, not "${state}"`);
  }
  const cursor = after ? await findMemberById(site, after) : undefined;
  const members = await allMembers(site, { search, state, cursor }, limit);
  const isFiltered = search !== undefined || state !== undefined || after !== undefined;
  const empty = isFiltered ? "No member matches the search." : "There are no members yet.";
  const rows = members.map(describe);
  const states = new Map(members.map((member) => [member.id, stateText(member)]));
  // Without single sign-on, every member signs in with a password.
  const showsProviders = rows.some(({ providers }) => providers.some((provider) => provider !== PASSWORD));
  const header = [...HEADER, ...(showsProviders ? ["signs in with"] : []), "state"];
  printRows(invocation, header, rows, empty, ({ id, email, name, last_sign_in_at, providers, ...row }) => {
    const counts = KINDS.map(({ table }) => Reflect.get(row, table));
    const lastSignIn = last_sign_in_at?.slice(0, 10) ?? "never";
    return [
      email,
      name,
      ...counts,
      lastSignIn,
      ...(showsProviders ? [providers.join(", ")] : []),
      states.get(id),
    ];
  });
}

export async function showMember({ site, email, json, print }: Invocation): Promise<void> {
  const member = await findMember(site, email);
  const { pictures, pictureBytes } = await contentAmount({ site }, member.id);
  const { providers, ...row } = describe(member);
  const described = {
    ...row,
    username: member.username,
    providers: providers.join(", "),
    featured: member.featured,
    pictures,
    pictureBytes,
    passkeys: await countPasskeys(site, member.id),
  };
  if (json) return print(JSON.stringify(described, undefined, 2));
  for (const [name, value] of Object.entries({ ...described, state: stateText(member) })) {
    print(`${name}: ${printableLine(String(value ?? ""))}`);
  }
}

function describe(member: ListedMember) {
  const { id, email, counts, created_at, last_sign_in_at, state, suspended_until } = member;
  return {
    id,
    email,
    name: storedName(member),
    ...counts,
    created_at,
    last_sign_in_at,
    state,
    suspended_until,
    is_operator: member.is_operator,
    providers: member.providers.map((provider) => (provider === "email" ? PASSWORD : provider)),
  };
}
