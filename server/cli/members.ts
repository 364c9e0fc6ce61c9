import type { User } from "@supabase/auth-js";
import type { AdminClient } from "./admin-client.ts";
import { CommandError } from "./command-error.ts";

const PAGE_SIZE = 200;

export async function* allMembers({ admin }: AdminClient): AsyncGenerator<User> {
  // Page by page until one is not full: the page numbers that auth-js reports are wrong from 10 on.
  for (let page = 1; ; page += 1) {
    const { data, error } = await admin.listUsers({ page, perPage: PAGE_SIZE });
    if (error) throw error;
    yield* data.users;
    if (data.users.length < PAGE_SIZE) return;
  }
}

/** The admin API has no search by e-mail. Throws CommandError. */
export async function findMember(site: AdminClient, email: string): Promise<User> {
  const wanted = email.toLowerCase();
  for await (const user of allMembers(site)) if (user.email === wanted) return user;
  throw new CommandError(
    `There is no member with the e-mail ${email}: npm run member -- list shows all of them.`,
  );
}
