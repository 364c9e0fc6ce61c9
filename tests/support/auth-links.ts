import { expect } from "vitest";
import type { TestAuth } from "./auth.ts";

export async function linkMailedTo(auth: TestAuth, email: string): Promise<URL> {
  const find = () => auth.mails.findIndex((mail) => mail.to === email);
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
