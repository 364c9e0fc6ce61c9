import { expect, test } from "vitest";
import type { EmailSite } from "./email-template.ts";
import { invitationEmail, passwordChangedEmail, passwordSetEmail, recoveryEmail } from "./emails.ts";

const site = (siteName: string, mailTemplates?: EmailSite["mailTemplates"]): EmailSite => ({
  siteName,
  siteUrl: "https://techfolio.test",
  mailTemplates,
});
const link = "https://techfolio.test/profile?token_hash=a&type=invite";

test.each([
  ["recovery", (site: EmailSite, to: string, address: string) => recoveryEmail(site, to, address, true)],
  ["invitation", invitationEmail],
  ["password change", passwordChangedEmail],
  ["password set by an operator", passwordSetEmail],
])("the %s email contains the site's name and the link, both as text and as HTML", (_, write) => {
  const { to, subject, text, html } = write(site("Data & Friends"), "ada@example.com", link);
  expect(to).toBe("ada@example.com");
  expect(subject).toContain("Data & Friends");
  expect(text).toContain(`\n\n${link}\n\n`);
  expect(html).toContain("Data &amp; Friends");
  expect(html).toContain(`href="${link.replace("&", "&amp;")}"`);
});

test("markup in the site's name is escaped in the HTML of an email", () => {
  const { html } = invitationEmail(site("<img src=x onerror=alert(1)>"), "ada@example.com", link);
  expect(html).not.toContain("<img");
});

test("a template replaces only its own part of its own email, and values are escaped only in HTML", () => {
  const templates = {
    invite: {
      subject: "Welcome to {{ .SiteName }}",
      html: '<a title="{{ .SiteName }}" href="{{ .ConfirmationURL }}">{{ .Email }}, {{ .SiteURL }}</a>',
    },
  };
  const own = site('"Data" & <Friends>', templates);
  const email = invitationEmail(own, "o'neil@example.com", link);
  expect(email.subject).toBe('Welcome to "Data" & <Friends>');
  expect(email.text).toBe(invitationEmail(site(own.siteName), email.to, link).text);
  expect(email.html).toBe(
    `<a title="&quot;Data&quot; &amp; &lt;Friends&gt;" href="${link.replace("&", "&amp;")}">o&#39;neil@example.com, https://techfolio.test</a>`,
  );
  expect(passwordChangedEmail(own, email.to, link)).toEqual(
    passwordChangedEmail(site(own.siteName), email.to, link),
  );
});
