import { expect, test } from "vitest";
import { invitationEmail, passwordChangedEmail, passwordSetEmail, recoveryEmail } from "./emails.ts";

const link = "https://techfolio.test/profile?token_hash=a&type=invite";

test.each([
  ["recovery", (site: string, to: string, address: string) => recoveryEmail(site, to, address, true)],
  ["invitation", invitationEmail],
  ["password change", passwordChangedEmail],
  ["password set by an operator", passwordSetEmail],
])("the %s email contains the site's name and the link, both as text and as HTML", (_, write) => {
  const { to, subject, text, html } = write("Data & Friends", "ada@example.com", link);
  expect(to).toBe("ada@example.com");
  expect(subject).toContain("Data & Friends");
  expect(text).toContain(`\n\n${link}\n\n`);
  expect(html).toContain("Data &amp; Friends");
  expect(html).toContain(`href="${link.replace("&", "&amp;")}"`);
});

test("markup in the site's name is escaped in the HTML of an email", () => {
  const { html } = invitationEmail("<img src=x onerror=alert(1)>", "ada@example.com", link);
  expect(html).not.toContain("<img");
});
