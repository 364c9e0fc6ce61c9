import type { BackendAddress } from "../../common/data/client.ts";
import type { Auth } from "./auth.ts";
import type { MailLink } from "./mail-link.ts";

let backend: BackendAddress | undefined;
let opened: Auth | undefined;

export function setBackend(known: BackendAddress | undefined): void {
  backend = known;
}

/** Loads the auth client on the first call, so that visitors who never sign in don't download it. */
export async function openAuth(mailLink: MailLink | null = null): Promise<Auth> {
  const { createAuth } = await import("./auth.ts");
  if (!backend) throw new Error("The auth client was opened before the backend was known");
  opened ??= createAuth(backend, mailLink);
  return opened;
}
