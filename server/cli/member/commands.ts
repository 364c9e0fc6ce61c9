import { createMail } from "../../auth/mail.ts";
import { invitationMessage } from "../../auth/messages.ts";
import { pageLink } from "../../auth/store/link-tokens.ts";
import { createLog } from "../../http/log.ts";
import { type AdminClient, createAdminClient, findMember } from "../admin-client.ts";
import { audit } from "../audit.ts";
import { CommandError } from "../command-error.ts";
import type { Program } from "../program.ts";
import type { MemberRequest } from "./arguments.ts";
import { readPassword } from "./ask-password.ts";
import { listMembers } from "./list-members.ts";

type Command<Name> = Extract<MemberRequest, { command: Name }>;

/** For good, in the words of Supabase's documentation. */
const ALL_TIME_HOURS = 876_000;

const COMMANDS = { add, invite, list, password, suspend, unsuspend, remove };

export async function runCommand(request: MemberRequest, program: Program): Promise<void> {
  const site = createAdminClient(await program.backend.administration());
  const run: (site: AdminClient, request: never, program: Program) => Promise<void> =
    COMMANDS[request.command];
  try {
    await run(site, request as never, program);
  } catch (error) {
    throw error instanceof CommandError ? error : site.explain(error);
  }
}

async function add(site: AdminClient, request: Command<"add">, { print }: Program): Promise<void> {
  const { email, username, fullName } = request;
  const password = await passwordOf(request);
  const { data, error } = await site.admin.createUser({ email, password, email_confirm: true });
  if (error) throw error;
  audit("member.added", { id: data.user.id, email: data.user.email ?? email });
  print(`${data.user.email} is a member now.`);
  if (username === undefined && fullName === undefined) return;
  const names = {
    ...(username !== undefined && { username }),
    ...(fullName !== undefined && { full_name: fullName }),
  };
  const saved = await site.data.from("profiles").upsert({ id: data.user.id, ...names });
  if (saved.error) {
    throw new CommandError(`The profile was not saved (${saved.error.message}): fill it in on /profile.`);
  }
}

async function invite(
  site: AdminClient,
  { email }: Command<"invite">,
  { settings, print }: Program,
): Promise<void> {
  const page = `${settings.siteUrl}/profile`;
  const { data, error } = await site.admin.generateLink({
    type: "invite",
    email,
    options: { redirectTo: page },
  });
  if (error) throw error;
  audit("member.invited", { id: data.user.id, email });
  const link = pageLink({ kind: "invite", token: data.properties.hashed_token, redirectTo: page });
  if (settings.smtp === undefined) return print(link);
  const mail = createMail(settings, createLog());
  const to = data.user.email ?? email;
  await mail.send(invitationMessage(settings.siteName, to, link)).catch((reason: Error) => {
    throw new CommandError(`The mail server refuses the invitation (${reason.message}): pass on ${link}`);
  });
  print(`The invitation is on its way to ${to}.`);
}

function list(site: AdminClient, { json }: Command<"list">, { print }: Program): Promise<void> {
  return listMembers(site, json, print);
}

async function password(site: AdminClient, request: Command<"password">, { print }: Program): Promise<void> {
  const { id, email } = await findMember(site, request.email);
  const { error } = await site.admin.updateUserById(id, { password: await passwordOf(request) });
  if (error) throw error;
  audit("member.password_set", { id, email: request.email });
  print(`${email} has a new password, and is signed out everywhere.`);
}

async function suspend(site: AdminClient, request: Command<"suspend">, { print }: Program): Promise<void> {
  const { id, email = request.email } = await findMember(site, request.email);
  const { hours } = request;
  const minutes = Math.round((hours ?? ALL_TIME_HOURS) * 60);
  const { data, error } = await site.admin.updateUserById(id, { ban_duration: `${minutes}m` });
  if (error) throw error;
  const until = hours === undefined ? undefined : data.user.banned_until;
  audit("member.suspended", { id, email, ...(until !== undefined && { until }) });
  print(`${email} is suspended${until === undefined ? "" : ` until ${until}`}.`);
}

async function unsuspend(
  site: AdminClient,
  request: Command<"unsuspend">,
  { print }: Program,
): Promise<void> {
  const { id, email = request.email } = await findMember(site, request.email);
  const { error } = await site.admin.updateUserById(id, { ban_duration: "none" });
  if (error) throw error;
  audit("member.unsuspended", { id, email });
  print(`${email} may sign in again.`);
}

async function remove(site: AdminClient, request: Command<"remove">, { print }: Program): Promise<void> {
  const { id, email = request.email } = await findMember(site, request.email);
  const { error } = await site.admin.deleteUser(id);
  if (error) throw error;
  audit("member.removed", { id, email });
  print(`${email} is removed, with everything published.`);
}

async function passwordOf({ password }: { password?: string }): Promise<string> {
  return password ?? readPassword(process.stdin, (question) => void process.stderr.write(question));
}
