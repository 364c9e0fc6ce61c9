import { expect, test } from "vitest";
import {
  invitationMessage,
  passwordChangedMessage,
  passwordSetMessage,
  recoveryMessage,
} from "./messages.ts";

const link = "https://techfolio.test/profile?token_hash=a&type=invite";

test.each([
  ["recovery", (site: string, to: string, address: string) => recoveryMessage(site, to, address, true)],
  ["invitation", invitationMessage],
  ["password change", passwordChangedMessage],
  ["password set by an operator", passwordSetMessage],
])("the %s email contains the site's name and the link, both as text and as HTML", (_, write) => {
  const { to, subject, text, html } = write("Data & Friends", "ada@example.com", link);
  expect(to).toBe("ada@example.com");
  expect(subject).toContain("Data & Friends");
  expect(text).toContain(`\n\n${link}\n\n`);
  expect(html).toContain("Data &amp; Friends");
  expect(html).toContain(`href="${link.replace("&", "&amp;")}"`);
});

test("markup in the site's name is escaped in the HTML of an email", () => {
  const { html } = invitationMessage("<img src=x onerror=alert(1)>", "ada@example.com", link);
  expect(html).not.toContain("<img");
});
