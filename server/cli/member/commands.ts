import type { ActionResult, ListedMember } from "../../../common/data/operators.ts";
import type { AdminContext } from "../../admin/admin-context.ts";
import { readDuration } from "../../admin/duration.ts";
import { closeLink } from "../../admin/invitation-links.ts";
import {
  addMember,
  demote,
  inviteMember,
  type NewMember,
  promote,
  removeMember,
  retire,
  setFeatured,
  setPassword,
  suspend,
  unlink,
  unretire,
  unsuspend,
} from "../../admin/member-actions.ts";
import { findMember } from "../../admin/members.ts";
import { removePasskeys } from "../../admin/passkeys.ts";
import { commandLine } from "../../config/command-line.ts";
import { type Commands, flag, type Invocation, text } from "../run-command.ts";
import { readPassword } from "./ask-password.ts";
import { forEachNewMember } from "./for-each-new-member.ts";
import { makeLink, showLinks } from "./invitation-links.ts";
import { listMembers, showMember } from "./list-members.ts";

export const USAGE = `${commandLine("member", "<command>")}

  add --email E [--password P] [--username U] [--full-name N]   add a member
  invite --email E [--username U] [--full-name N]               add a member, and email them a link to choose a
                                                                password (without a mail server, print the link)
  list [--search T] [--state S] [--limit N] [--after ID] [--json]
                                                                list all members, newest first, with email, name,
                                                                number of articles, links and samples, last sign-in,
                                                                ways to sign in and state. T is a part of an email
                                                                address or a name, and S is active, invited,
                                                                suspended, former or operator. --after continues
                                                                after a member
  show --email E [--json]                                       show one member with their ID, dates, pictures and
                                                                number of passkeys
  password --email E [--password P]                             set a new password and end all sessions
  suspend --email E [--for 7d]                                  end all sessions and block sign-in, for a number of
                                                                minutes (m), hours (h), days (d) or weeks (w), or
                                                                until the member is unsuspended
  unsuspend --email E                                           allow sign-in again
  retire --email E                                              for a member who has left: end all sessions, block
                                                                sign-in, and no longer list them among the
                                                                professionals. Their items stay
  unretire --email E                                            undo retire
  unlink --email E                                              let a member link a new account at the provider of
                                                                single sign-on, and end all sessions
  remove-passkeys --email E                                     remove all passkeys of a member who has lost their
                                                                devices
  promote --email E                                             make a member an operator, who can use /admin
  demote --email E                                              make an operator an ordinary member again
  feature --email E                                             show a member on the home page
  unfeature --email E                                           no longer show them there
  remove --email E                                              delete a member and everything they own
  invite-link --people N --days N [--domains D,...]             make a link that several people can join with, and
                                                                print it. It is not shown again. Only addresses at
                                                                these domains can join
  invite-links [--json]                                         list the open links with their ID, the people who
                                                                have joined, the last day and the domains
  close-link ID                                                 close a link

Without --email, add and invite read the members from standard input, one per line: an address, Name <address> or
name,address. Each line has its own result, and members who are added this way get random passwords. Otherwise, a
missing --password is read from standard input. Each change logs one line of JSON on standard error.
`;

const names = { username: text, "full-name": text };

export const COMMANDS: Commands = {
  add: { options: { email: text, password: text, ...names }, allowsNoEmail: true, run: add },
  invite: { options: { email: text, ...names }, allowsNoEmail: true, run: invite },
  list: { options: { search: text, state: text, limit: text, after: text, json: flag }, run: listMembers },
  show: { options: { email: text, json: flag }, run: showMember },
  password: { options: { email: text, password: text }, run: changePassword },
  suspend: {
    options: { email: text, for: text },
    async run(invocation) {
      const duration = invocation.texts["for"];
      // Reject a wrong duration before contacting the site.
      readDuration(duration);
      await forMember((context, member) => suspend(context, member, duration))(invocation);
    },
  },
  unsuspend: { options: { email: text }, run: forMember(unsuspend) },
  retire: { options: { email: text }, run: forMember(retire) },
  unretire: { options: { email: text }, run: forMember(unretire) },
  unlink: { options: { email: text }, run: forMember(unlink) },
  "remove-passkeys": { options: { email: text }, run: forMember(removePasskeys) },
  promote: { options: { email: text }, run: forMember(promote) },
  demote: { options: { email: text }, run: forMember(demote) },
  feature: {
    options: { email: text },
    run: forMember((context, member) => setFeatured(context, member, true)),
  },
  unfeature: {
    options: { email: text },
    run: forMember((context, member) => setFeatured(context, member, false)),
  },
  remove: { options: { email: text }, run: forMember(removeMember) },
  "invite-link": { options: { people: text, days: text, domains: text }, run: makeLink },
  "invite-links": { options: { json: flag }, run: showLinks },
  "close-link": {
    needs: "link",
    async run({ context, id, print }) {
      print((await closeLink(context, id)).text);
    },
  },
};

/** Returns a command that runs an action on the member with the email address, and prints what happened. */
function forMember(act: (context: AdminContext, member: ListedMember) => Promise<ActionResult>) {
  return async ({ context, email, print }: Invocation): Promise<void> => {
    const { text } = await act(context, await findMember(context.site, email));
    print(text);
  };
}

async function add(invocation: Invocation): Promise<void> {
  const { context, email, texts, print } = invocation;
  if (email === "")
    return forEachNewMember(invocation, (member) => addMember(context, member, texts["password"]));
  const { text } = await addMember(context, newMember(invocation), await passwordOf(texts));
  print(text);
}

async function invite(invocation: Invocation): Promise<void> {
  const { context, email, print } = invocation;
  if (email === "") return forEachNewMember(invocation, (member) => inviteMember(context, member));
  const { text, link } = await inviteMember(context, newMember(invocation));
  print(link ?? text);
}

function newMember({ email, texts }: Invocation): NewMember {
  return { email, username: texts["username"], full_name: texts["full-name"] };
}

async function changePassword({ context, email, texts, print }: Invocation): Promise<void> {
  const member = await findMember(context.site, email);
  const { text } = await setPassword(context, member, await passwordOf(texts));
  print(text);
}

async function passwordOf({ password }: Invocation["texts"]): Promise<string> {
  return password ?? readPassword(process.stdin, (question) => void process.stderr.write(question));
}
