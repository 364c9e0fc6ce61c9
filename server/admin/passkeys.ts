import type { ActionResult, ListedMember } from "../../common/data/operators.ts";
import { type AdminClient, unwrap } from "./admin-client.ts";
import type { AdminContext } from "./admin-context.ts";
import { allMembers } from "./members.ts";

async function list({ admin }: AdminClient, userId: string) {
  return (await unwrap(admin.passkey.listPasskeys({ userId }))) ?? [];
}

/** Returns null if the member's Supabase project has no passkeys, because its auth service is too old. */
export async function countPasskeys(site: AdminClient, userId: string): Promise<number | null> {
  return list(site, userId).then(
    ({ length }) => length,
    () => null,
  );
}

/** Removes all passkeys, for a member who has lost their devices. Sessions that began with them stay. */
export async function removePasskeys(
  { site, record }: AdminContext,
  member: ListedMember,
): Promise<ActionResult> {
  const { id: userId, email } = member;
  const passkeys = await list(site, userId);
  if (passkeys.length === 0) return { text: `${email} has no passkeys.` };
  for (const { id: passkeyId } of passkeys)
    await unwrap(site.admin.passkey.deletePasskey({ userId, passkeyId }));
  const count = passkeys.length;
  await record({
    action: "member.passkeys_removed",
    target: { type: "member", id: userId, name: email },
    details: { count },
  });
  return { text: `${count === 1 ? "1 passkey" : `${count} passkeys`} of ${email} can no longer sign in.` };
}

/** Returns the email addresses of the operators who have no passkey. */
export async function operatorsWithoutPasskey(site: AdminClient): Promise<string[]> {
  const without: string[] = [];
  for (const { id, email } of await allMembers(site, { state: "operator" }))
    if (!(await countPasskeys(site, id))) without.push(email);
  return without;
}
