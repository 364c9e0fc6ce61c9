import type { ClientBase } from "pg";
import type { SingleSignOn } from "../../config/single-sign-on.ts";
import { suspensionText } from "../auth-error.ts";
import { normalizeEmail } from "../email-address.ts";
import {
  type Candidate,
  findCandidate,
  findLinkedMember,
  linkAccount,
  lockAddress,
  type ProviderAccount,
  setOperator,
  takeOverUnconfirmed,
} from "../store/identities.ts";
import { dropLinks } from "../store/link-tokens.ts";
import { createUser, suspendedUntil } from "../store/users.ts";
import type { Identity } from "./identity.ts";
import { refusal } from "./sign-in-error.ts";

export const PROVIDER = "oidc";
/** The longest name that a profile can have. */
const MAX_NAME_CHARACTERS = 1_000;

interface Member {
  userId: string;
  isNew: boolean;
  hasNewRole: boolean;
}

/**
 * Returns the member to whom the account at the provider belongs. Links an existing member with the same address, or
 * creates one. Throws GoTrueError if the person may not sign in.
 */
export async function findOrCreateMember(
  client: ClientBase,
  identity: Identity,
  { domains, operatorGroups }: Pick<SingleSignOn, "domains" | "operatorGroups">,
): Promise<Member> {
  const email = requireAddress(identity, domains);
  const name = cleanName(identity.name);
  const account: ProviderAccount = {
    provider: PROVIDER,
    issuer: identity.issuer,
    subject: identity.subject,
    data: { email, email_verified: true, name },
  };
  await lockAddress(client, email);
  const linked = await findLinkedMember(client, account);
  const candidate = linked === undefined ? await findCandidate(client, email, account) : undefined;
  if (candidate) await prepareLink(client, candidate);
  const existingId = linked ?? candidate?.id;
  const userId = existingId ?? (await createMember(client, email, name));
  const until = await suspendedUntil(client, userId);
  if (until) throw refusal("user_banned", suspensionText(until));
  await linkAccount(client, userId, account);
  const isOperator = operatorGroups?.some((group) => identity.groups.includes(group));
  const hasNewRole = isOperator !== undefined && (await setOperator(client, userId, isOperator));
  return { userId, isNew: existingId === undefined, hasNewRole };
}

function requireAddress({ email: address, isEmailVerified }: Identity, domains: string[]): string {
  const email = normalizeEmail(address);
  if (email === undefined || !isEmailVerified) {
    throw refusal("provider_email_needs_verification", "The provider has not verified the email address");
  }
  if (domains.includes(email.slice(email.lastIndexOf("@") + 1))) return email;
  throw refusal("signup_disabled", "Signups with this email address are not allowed");
}

async function prepareLink(client: ClientBase, { id, isConfirmed, isTaken }: Candidate): Promise<void> {
  // Companies give the addresses of people who left to new ones. The new person must not get the earlier one's account.
  if (isTaken) {
    throw refusal("identity_already_exists", "The address belongs to another account at the provider");
  }
  if (isConfirmed) return;
  await takeOverUnconfirmed(client, id);
  await dropLinks(client, id);
}

async function createMember(client: ClientBase, email: string, name: string): Promise<string> {
  const metadata = name === "" ? {} : { full_name: name };
  const { id } = await createUser(client, email, { isConfirmed: true, metadata }, PROVIDER);
  return id;
}

/** PostgreSQL can store neither NUL nor half a surrogate pair. */
function cleanName(name: string): string {
  const plain = name.toWellFormed().replaceAll("\0", "").trim();
  return [...plain].slice(0, MAX_NAME_CHARACTERS).join("");
}
