import { createMail } from "../../auth/mail.ts";
import { invitationMessage } from "../../auth/messages.ts";
import { pageLink } from "../../auth/store/link-tokens.ts";
import { OperatorError, UsageError } from "../../config/operator-error.ts";
import { createLog } from "../../http/log.ts";
import { findMember, unwrap } from "../admin-client.ts";
import { audit } from "../audit.ts";
import { allPictures, removePictures } from "../pictures.ts";
import { type Commands, flag, type Invocation, text } from "../run-command.ts";
import { readPassword } from "./ask-password.ts";
import { listMembers } from "./list-members.ts";

export const USAGE = `npm run member -- <command>

  add --email E [--password P] [--username U] [--full-name N]   add a member
  invite --email E                                              add a member, and email them a link to choose a
                                                                password (without a mail server, print the link)
  list [--search T] [--json]                                    list all members, or those that a search on /people
                                                                finds, with email, name, number of articles, links
                                                                and samples, last sign-in and state
  password --email E [--password P]                             set a new password and end all sessions
  suspend --email E [--for 7d]                                  end all sessions and block sign-in, for a number of
                                                                minutes (m), hours (h), days (d) or weeks (w), or
                                                                until the member is unsuspended
  unsuspend --email E                                           allow sign-in again
  remove --email E                                              delete a member and everything they own

Without --password, the password is read from standard input. Each change logs one line of JSON on standard error.
`;

export const COMMANDS: Commands = {
  add: { options: { email: text, password: text, username: text, "full-name": text }, run: add },
  invite: { options: { email: text }, run: invite },
  list: { options: { search: text, json: flag }, run: listMembers },
  password: { options: { email: text, password: text }, run: setPassword },
  suspend: { options: { email: text, for: text }, run: suspend },
  unsuspend: { options: { email: text }, run: unsuspend },
  remove: { options: { email: text }, run: remove },
};

async function add({ site, email, texts, print }: Invocation): Promise<void> {
  const { username, "full-name": full_name } = texts;
  const password = await passwordOf(texts);
  const { user } = await unwrap(site.admin.createUser({ email, password, email_confirm: true }));
  audit("member.added", { id: user.id, email });
  print(`${email} is now a member.`);
  if (username === undefined && full_name === undefined) return;
  const saved = await site.data.from("profiles").upsert({ id: user.id, username, full_name });
  if (saved.error) {
    throw new OperatorError(
      `${email} was added, but the profile was not saved (${saved.error.message}): the member can fill it in on /profile.`,
    );
  }
}

async function invite({ site, email, settings, print }: Invocation): Promise<void> {
  const redirectTo = `${settings.siteUrl}/profile`;
  const options = { redirectTo };
  const { user, properties } = await unwrap(site.admin.generateLink({ type: "invite", email, options }));
  audit("member.invited", { id: user.id, email });
  const link = pageLink(redirectTo, { token_hash: properties.hashed_token, type: "invite" });
  if (settings.smtp === undefined) return print(link);
  const sendMail = createMail(settings, createLog(), print);
  await sendMail(invitationMessage(settings.siteName, email, link)).catch((reason: Error) => {
    throw new OperatorError(
      `The mail server rejected the invitation (${reason.message}). Send this link to ${email} yourself: ${link}`,
    );
  });
  print(`The invitation was sent to ${email}.`);
}

async function setPassword({ site, email, texts, print }: Invocation): Promise<void> {
  const { id } = await findMember(site, email);
  await unwrap(site.admin.updateUserById(id, { password: await passwordOf(texts) }));
  audit("member.password_set", { id, email });
  print(`${email} has a new password and is signed out everywhere.`);
}

async function suspend({ site, email, texts, print }: Invocation): Promise<void> {
  const ban_duration = readDuration(texts["for"]);
  const { id } = await findMember(site, email);
  const { user } = await unwrap(site.admin.updateUserById(id, { ban_duration }));
  const until = texts["for"] === undefined ? undefined : user.banned_until;
  audit("member.suspended", { id, email, until });
  print(`${email} is suspended${until === undefined ? "" : ` until ${until}`}.`);
}

async function unsuspend({ site, email, print }: Invocation): Promise<void> {
  const { id } = await findMember(site, email);
  await unwrap(site.admin.updateUserById(id, { ban_duration: "none" }));
  audit("member.unsuspended", { id, email });
  print(`${email} can sign in again.`);
}

async function remove({ site, email, print }: Invocation): Promise<void> {
  const { id } = await findMember(site, email);
  // Remove the pictures too, because a Supabase project keeps them when it deletes an account.
  const pictures = await allPictures(site, id);
  await removePictures(
    site,
    pictures.map(({ path }) => path),
  );
  await unwrap(site.admin.deleteUser(id));
  audit("member.removed", { id, email });
  print(`${email} was removed with everything they owned.`);
}

async function passwordOf({ password }: Invocation["texts"]): Promise<string> {
  return password ?? readPassword(process.stdin, (question) => void process.stderr.write(question));
}

const UNIT_HOURS: Record<string, number> = { h: 1, d: 24, w: 7 * 24 };

/**
 * Returns a suspension's duration for the admin API, which doesn't accept days or weeks. If `given` is undefined,
 * the duration is 100 years, because the API has no suspensions without an end.
 */
export function readDuration(given: string | undefined): string {
  if (given === undefined) return "876000h";
  const [, count, unit = ""] = /^([1-9]\d{0,4})([mhdw])$/.exec(given) ?? [];
  if (count === undefined) {
    throw new UsageError(`"suspend": --for must be a number with m, h, d or w, such as 7d, not "${given}"`);
  }
  return unit === "m" ? given : `${Number(count) * (UNIT_HOURS[unit] ?? 1)}h`;
}
