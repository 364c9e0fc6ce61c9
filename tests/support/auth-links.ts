import { expect } from "vitest";
import { SITE, type TestAuth } from "./auth.ts";

export async function linkMailedTo(auth: TestAuth, email: string): Promise<URL> {
  const find = () => auth.mails.findIndex((mail) => mail.to === email);
  await expect.poll(find).toBeGreaterThanOrEqual(0);
  const [mail] = auth.mails.splice(find(), 1);
  return new URL(/https?:\S+/.exec(mail?.text ?? "")?.[0] ?? "");
}

/** Where the link leads. */
export async function openLink(auth: TestAuth, link: URL): Promise<URL> {
  expect(link.origin).toBe(SITE);
  const answer = await auth.request(`${link.pathname.replace("/auth/v1/", "")}${link.search}`);
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get("location") ?? "");
}

export async function generateLink(auth: TestAuth, type: "recovery" | "invite", email: string) {
  const { data, error } = await auth.service.auth.admin.generateLink({ type, email });
  if (error) throw error;
  return data;
}
