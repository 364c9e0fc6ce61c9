import { randomBytes } from "node:crypto";
import type { ActionResult, ContentCount, ListedMember } from "../../common/data/operators.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { invitationEmail, providerInvitationEmail, recoveryEmail } from "../auth/emails.ts";
import { passwordError } from "../auth/password-rule.ts";
import { pageLink } from "../auth/store/link-tokens.ts";
import { OperatorError } from "../config/operator-error.ts";
import { unwrap } from "./admin-client.ts";
import { type AdminContext, ONLY_IN_BACKUPS } from "./admin-context.ts";
import { readDuration } from "./duration.ts";
import { keepAnOperator, OPERATOR } from "./last-operator.ts";
import { endOfSuspension, findMemberById } from "./members.ts";
import { allPictures, removePictures } from "./pictures.ts";

/** The details of a new member that an operator enters. */
export interface NewMember {
  email: string;
  full_name?: string | undefined;
  username?: string | undefined;
}

type Target = Pick<ListedMember, "id" | "email">;

const target = ({ id, email }: Target) => ({ type: "member", id, name: email });

/** Creates a confirmed member. Without a password, creates a random one, and returns it in the text. */
export async function addMember(
  { site, record }: AdminContext,
  member: NewMember,
  chosenPassword?: string,
): Promise<ActionResult> {
  const password = chosenPassword ?? randomBytes(12).toString("base64url");
  // Supabase Auth accepts a short password for a new account, and fails with status 500 if it is too long.
  const error = passwordError(password);
  if (error) throw new OperatorError(error.message);
  const { email } = member;
  const { user } = await unwrap(
    site.admin.createUser({ email, password, email_confirm: true, user_metadata: namesOf(member) }),
  );
  await record({ action: "member.added", target: target({ id: user.id, email }) });
  return {
    text: `${email} is now a member.${chosenPassword === undefined ? ` The password is ${password}` : ""}`,
  };
}

/** Creates an account without a password, and emails its owner a link for choosing one. */
export async function inviteMember(context: AdminContext, member: NewMember): Promise<ActionResult> {
  const { site, settings, sendEmail, record } = context;
  const { email } = member;
  const redirectTo = `${settings.siteUrl}/profile`;
  const { user, properties } = await unwrap(
    site.admin.generateLink({ type: "invite", email, options: { redirectTo, data: namesOf(member) } }),
  );
  await record({ action: "member.invited", target: target({ id: user.id, email }) });
  const { singleSignOn, passwordSignIn } = settings;
  // With PASSWORD_SIGN_IN=off, the sign-in page is all that the new member needs.
  const link = passwordSignIn
    ? pageLink(redirectTo, { token_hash: properties.hashed_token, type: "invite" })
    : redirectTo;
  if (!sendEmail) {
    return { text: `${email} is invited. There is no mail server: send them this link yourself.`, link };
  }
  const message =
    singleSignOn && !passwordSignIn
      ? providerInvitationEmail(settings, email, singleSignOn.name, link)
      : invitationEmail(settings, email, link);
  await sendEmail(message).catch((reason: Error) => {
    throw new OperatorError(
      `The mail server rejected the invitation (${reason.message}). Send this link to ${email} yourself: ${link}`,
    );
  });
  return { text: `The invitation was sent to ${email}.` };
}

/** The names, for the profile that a trigger creates with the account (`private.create_profile`). */
function namesOf({ full_name, username }: NewMember): Record<string, string> {
  return { ...(full_name !== undefined && { full_name }), ...(username !== undefined && { username }) };
}

export async function sendPasswordLink(
  { site, settings, sendEmail, record }: AdminContext,
  member: ListedMember,
): Promise<ActionResult> {
  if (!settings.passwordSignIn) {
    throw new OperatorError(
      "Members cannot sign in with a password on this site: set PASSWORD_SIGN_IN=on first.",
    );
  }
  const { email } = member;
  const redirectTo = `${settings.siteUrl}/profile`;
  const { properties } = await unwrap(
    site.admin.generateLink({ type: "recovery", email, options: { redirectTo } }),
  );
  await record({ action: "member.password_link_sent", target: target(member) });
  const link = pageLink(redirectTo, { token_hash: properties.hashed_token, type: "recovery" });
  if (!sendEmail) return { text: `There is no mail server: send this link to ${email} yourself.`, link };
  await sendEmail(recoveryEmail(settings, email, link, false)).catch((reason: Error) => {
    throw new OperatorError(`The mail server rejected the email (${reason.message}).`);
  });
  return { text: `A link to set a new password was sent to ${email}.` };
}

export async function setPassword(
  { site, record }: AdminContext,
  member: ListedMember,
  password: string,
): Promise<ActionResult> {
  await unwrap(site.admin.updateUserById(member.id, { password }));
  await record({ action: "member.password_set", target: target(member) });
  return { text: `${member.email} has a new password and is signed out everywhere.` };
}

/** `duration` is a text such as "7d". If it is undefined, the suspension has no end. */
export async function suspend(
  { site, settings, record }: AdminContext,
  member: ListedMember,
  duration: string | undefined,
): Promise<ActionResult> {
  const ban = (ban_duration: string) => unwrap(site.admin.updateUserById(member.id, { ban_duration }));
  const { user } = await keepAnOperator(
    { site, settings },
    member,
    () => ban(readDuration(duration)),
    () => ban("none"),
  );
  const until = duration === undefined ? undefined : user.banned_until;
  await record({ action: "member.suspended", target: target(member), details: { until } });
  return { text: `${member.email} is suspended${until === undefined ? "" : ` until ${until}`}.` };
}

export async function unsuspend({ site, record }: AdminContext, member: ListedMember): Promise<ActionResult> {
  if (member.state === "former") throw new OperatorError(`${member.email} is a former member: use unretire.`);
  await unwrap(site.admin.updateUserById(member.id, { ban_duration: "none" }));
  await record({ action: "member.unsuspended", target: target(member) });
  return { text: `${member.email} can sign in again.` };
}

/** Blocks the sign-in, removes the person from lists, and keeps the items (contract, "Former members"). */
export async function retire(
  { site, settings, record }: AdminContext,
  member: ListedMember,
): Promise<ActionResult> {
  if (member.state === "former") return { text: `${member.email} is already a former member.` };
  const ban = (ban_duration: string) => unwrap(site.admin.updateUserById(member.id, { ban_duration }));
  await keepAnOperator(
    { site, settings },
    member,
    () => ban(readDuration(undefined)),
    () => ban("none"),
  );
  await setLeftAt(site, member, new Date().toISOString());
  await record({ action: "member.retired", target: target(member) });
  return { text: `${member.email} is a former member: they cannot sign in, and their items stay.` };
}

export async function unretire({ site, record }: AdminContext, member: ListedMember): Promise<ActionResult> {
  if (member.state !== "former") return { text: `${member.email} is not a former member.` };
  await setLeftAt(site, member, null);
  await unwrap(site.admin.updateUserById(member.id, { ban_duration: "none" }));
  await record({ action: "member.unretired", target: target(member) });
  return { text: `${member.email} is a member again, and can sign in.` };
}

const setLeftAt = ({ data }: AdminContext["site"], { id }: Target, left_at: string | null) =>
  data.from("profiles").update({ left_at }).eq("id", id).throwOnError();

/** Removes the link to an account at an identity provider. The next sign-in with the same address makes a new one. */
export async function unlink({ site, record }: AdminContext, member: ListedMember): Promise<ActionResult> {
  const { email } = member;
  if (member.providers.every((provider) => provider === "email")) {
    return { text: `${email} is not linked to an account at a provider.` };
  }
  await site.unlinkProviders(member.id);
  await record({ action: "member.unlinked", target: target(member) });
  return {
    text: `${email} is no longer linked, and is signed out. The next sign-in at the provider links them again.`,
  };
}

export async function promote({ site, record }: AdminContext, member: ListedMember): Promise<ActionResult> {
  if (member.is_operator) return { text: `${member.email} is already an operator.` };
  await setRole(site, member, OPERATOR);
  await record({ action: "member.promoted", target: target(member) });
  return { text: `${member.email} is now an operator, and can use /admin.` };
}

export async function demote(
  { site, settings, record }: AdminContext,
  member: ListedMember,
): Promise<ActionResult> {
  if (!member.is_operator) return { text: `${member.email} is not an operator.` };
  await keepAnOperator(
    { site, settings },
    member,
    () => setRole(site, member, null),
    () => setRole(site, member, OPERATOR),
  );
  await record({ action: "member.demoted", target: target(member) });
  return { text: `${member.email} is no longer an operator.` };
}

const setRole = ({ admin }: AdminContext["site"], { id }: Target, role: string | null) =>
  unwrap(admin.updateUserById(id, { app_metadata: { role } }));

export async function setFeatured(
  { site, record }: AdminContext,
  member: ListedMember,
  featured: boolean,
): Promise<ActionResult> {
  await site.data.from("profiles").update({ featured }).eq("id", member.id).throwOnError();
  const action = featured ? "member.featured" : "member.unfeatured";
  await record({ action, target: target(member) });
  return { text: `${member.email} is ${featured ? "now" : "no longer"} a featured professional.` };
}

const CLEARED = {
  bio: null,
  current_title: null,
  company: null,
  linkedin_url: null,
  avatar_url: null,
  featured_skills: [],
};

/** Empties the profile's texts, links and portrait. The names stay, so that the member can still be found. */
export async function clearProfile(
  { site, record }: AdminContext,
  member: ListedMember,
): Promise<ActionResult> {
  await site.data.from("profiles").update(CLEARED).eq("id", member.id).throwOnError();
  await record({ action: "profile.cleared", target: target(member) });
  return {
    text: `The profile of ${member.email} was cleared: its texts, links and portrait.`,
    note: ONLY_IN_BACKUPS,
  };
}

export async function contentAmount({ site }: Pick<AdminContext, "site">, id: string): Promise<ContentCount> {
  const [{ counts }, pictures] = await Promise.all([
    findMemberById(site, id),
    allPictures(site, { owner: id }),
  ]);
  const pictureBytes = pictures.reduce((total, { bytes }) => total + bytes, 0);
  return { counts, pictures: pictures.length, pictureBytes };
}

const IDS_PER_DELETION = 100;

/**
 * Removes all items of a member with their versions, and all pictures. If it fails halfway, it logs what it has removed,
 * and throws.
 */
export async function removeContent(
  { site, record }: AdminContext,
  member: ListedMember,
): Promise<ActionResult> {
  const removed: Record<string, number> = {};
  try {
    for (const kind of KINDS) await removeItemsOf(site, kind, member.id, removed);
    await site.data.from("versions").delete().eq("profile_id", member.id).throwOnError();
    removed["pictures"] = (await removePictures(site, await picturesOf(site, member.id))).length;
  } catch (error) {
    if (Object.values(removed).some((count) => count > 0)) {
      await record({ action: "member.content_removed", target: target(member), details: removed });
    }
    throw error;
  }
  await record({ action: "member.content_removed", target: target(member), details: removed });
  return {
    text: `All content of ${member.email} was removed: ${amountText(removed)}.`,
    note: ONLY_IN_BACKUPS,
  };
}

async function removeItemsOf(
  { data }: AdminContext["site"],
  { table, ownerColumn }: KindDefinition,
  owner: string,
  removed: Record<string, number>,
): Promise<void> {
  removed[table] = 0;
  for (;;) {
    const items = data.from(table).select("id").eq(ownerColumn, owner).order("id").limit(IDS_PER_DELETION);
    const ids: string[] = (await items.throwOnError()).data.map(({ id }) => id);
    if (ids.length === 0) return;
    await data.from(table).delete().in("id", ids).throwOnError();
    removed[table] += ids.length;
  }
}

function amountText(removed: Record<string, number>): string {
  const parts = [...KINDS, { table: "pictures", itemName: "picture" }].map(({ table, itemName }) => {
    const count = removed[table] ?? 0;
    return `${count} ${itemName.toLowerCase()}${count === 1 ? "" : "s"}`;
  });
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

async function picturesOf(site: AdminContext["site"], owner: string): Promise<string[]> {
  return (await allPictures(site, { owner })).map(({ path }) => path);
}

/**
 * Deletes the account first, in one transaction with everything that the database ties to it. A failure of this step
 * leaves all of the member's data.
 */
export async function removeMember(
  { site, settings, record }: AdminContext,
  member: ListedMember,
): Promise<ActionResult> {
  const { email } = member;
  const pictures = await picturesOf(site, member.id);
  const demote = () => setRole(site, member, null);
  const restoreRole = () => setRole(site, member, OPERATOR);
  // Demote an operator first: if no operator is left, a demotion can be undone, but a removal can't.
  if (member.is_operator) await keepAnOperator({ site, settings }, member, demote, restoreRole);
  try {
    await unwrap(site.admin.deleteUser(member.id));
  } catch (error) {
    if (member.is_operator) await restoreRole().catch(() => undefined);
    throw error;
  }
  await record({ action: "member.removed", target: target(member), details: member.counts });
  // A Supabase project keeps the pictures of a deleted account.
  await removePictures(site, pictures).catch(() => {
    throw new OperatorError(
      `${email} was removed, but not all of their pictures: remove them in the project's dashboard.`,
    );
  });
  return { text: `${email} was removed with everything they owned.`, note: ONLY_IN_BACKUPS };
}

/** The member's state as one text, for example "suspended until 2026-12-01" or "active (operator)". */
export function stateText(member: ListedMember): string {
  const until = endOfSuspension(member);
  const suspension = until ? ` until ${until.slice(0, 10)}` : "";
  return `${member.state}${suspension}${member.is_operator ? " (operator)" : ""}`;
}
