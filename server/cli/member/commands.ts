import type { User } from "@supabase/auth-js";
import { createMail } from "../../auth/mail.ts";
import { invitationMessage } from "../../auth/messages.ts";
import { pageLink } from "../../auth/store/links.ts";
import type { Settings } from "../../config/settings.ts";
import { createLog } from "../../http/log.ts";
import { CommandError } from "../command-error.ts";
import type { Program } from "../program.ts";
import { type AdminClient, createAdminClient } from "./admin-client.ts";
import type { MemberRequest } from "./arguments.ts";
import { readPassword } from "./ask-password.ts";

type Print = (line: string) => void;
type Command<Name> = Extract<MemberRequest, { command: Name }>;

const PAGE_SIZE = 200;

/** Throws CommandError. */
export async function runCommand(
  request: MemberRequest,
  { backend, settings, print }: Program,
): Promise<void> {
  const site = createAdminClient(await backend.administration());
  try {
    await run(request, site, settings, print);
  } catch (error) {
    throw error instanceof CommandError ? error : site.explain(error);
  }
}

async function run(
  request: MemberRequest,
  site: AdminClient,
  settings: Settings,
  print: Print,
): Promise<void> {
  switch (request.command) {
    case "add":
      return add(site, request, print);
    case "invite":
      return invite(site, request, settings, print);
    case "list":
      return list(site, print);
    case "password":
      return setPassword(site, request, print);
    case "remove":
      return remove(site, request, print);
  }
}

async function add(site: AdminClient, request: Command<"add">, print: Print): Promise<void> {
  const { email, username, fullName } = request;
  const password = await passwordOf(request);
  const { data, error } = await site.admin.createUser({ email, password, email_confirm: true });
  if (error) throw error;
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
  settings: Settings,
  print: Print,
): Promise<void> {
  const page = `${settings.siteUrl}/profile`;
  const { data, error } = await site.admin.generateLink({
    type: "invite",
    email,
    options: { redirectTo: page },
  });
  if (error) throw error;
  const link = pageLink({ kind: "invite", token: data.properties.hashed_token, redirectTo: page });
  if (settings.smtp === undefined) return print(link);
  const mail = createMail(settings, createLog());
  const to = data.user.email ?? email;
  await mail.send(invitationMessage(settings.siteName, to, link)).catch((reason: Error) => {
    throw new CommandError(`The mail server refuses the invitation (${reason.message}): pass on ${link}`);
  });
  print(`The invitation is on its way to ${to}.`);
}

async function list(site: AdminClient, print: Print): Promise<void> {
  let count = 0;
  for await (const user of members(site)) {
    count += 1;
    print([user.email, day(user.created_at), day(user.last_sign_in_at)].join("\t"));
  }
  if (count === 0) print("There are no members yet.");
}

function day(time: string | undefined): string {
  return time?.slice(0, 10) ?? "never";
}

async function setPassword(site: AdminClient, request: Command<"password">, print: Print): Promise<void> {
  const { id, email } = await find(site, request.email);
  const password = await passwordOf(request);
  const { error } = await site.admin.updateUserById(id, { password });
  if (error) throw error;
  print(`${email} has a new password, and is signed out everywhere.`);
}

async function remove(site: AdminClient, request: Command<"remove">, print: Print): Promise<void> {
  const { id, email } = await find(site, request.email);
  const { error } = await site.admin.deleteUser(id);
  if (error) throw error;
  print(`${email} is removed, with everything published.`);
}

async function passwordOf({ password }: { password?: string }): Promise<string> {
  return password ?? readPassword(process.stdin, (question) => void process.stderr.write(question));
}

/** The admin API has no search by e-mail. */
async function find(site: AdminClient, email: string): Promise<User> {
  const wanted = email.toLowerCase();
  for await (const user of members(site)) if (user.email === wanted) return user;
  throw new CommandError(
    `There is no member with the e-mail ${email}: npm run member -- list shows all of them.`,
  );
}

async function* members(site: AdminClient): AsyncGenerator<User> {
  // Page by page until one is not full: the page numbers that auth-js reports are wrong from 10 on.
  for (let page = 1; ; page += 1) {
    const { data, error } = await site.admin.listUsers({ page, perPage: PAGE_SIZE });
    if (error) throw error;
    yield* data.users;
    if (data.users.length < PAGE_SIZE) return;
  }
}
