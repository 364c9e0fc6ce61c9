import { expect } from "vitest";
import type { TestAuth } from "./auth.ts";

/** Waits for an email with a sign-in link. Other emails, such as the notice about a new password, are left alone. */
export async function linkMailedTo(auth: TestAuth, email: string): Promise<URL> {
  const find = () => auth.mails.findIndex(({ to, text }) => to === email && /(code|token_hash)=/.test(text));
  await expect.poll(find).toBeGreaterThanOrEqual(0);
  const [mail] = auth.mails.splice(find(), 1);
  return new URL(/https?:\S+/.exec(mail?.text ?? "")?.[0] ?? "");
}

/** Returns a mailed link's PKCE code and token hash. A link contains only one of them, and the other is empty. */
export function linkParameters(link: URL) {
  return { code: link.searchParams.get("code") ?? "", token_hash: link.searchParams.get("token_hash") ?? "" };
}

export async function generateLink(auth: TestAuth, type: "recovery" | "invite", email: string) {
  const { data, error } = await auth.service.auth.admin.generateLink({ type, email });
  if (error) throw error;
  return data;
}
