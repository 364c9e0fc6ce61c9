import { expect, test } from "vitest";
import { decodeEntities } from "../../common/data/description.ts";
import type { EmailSite } from "./email-template.ts";
import {
  invitationEmail,
  joinEmail,
  joinKnownEmail,
  noPasswordEmail,
  passkeyAddedEmail,
  passkeyRemovedEmail,
  passwordChangedEmail,
  passwordSetEmail,
  providerInvitationEmail,
  recoveryEmail,
  reportsEmail,
} from "./emails.ts";

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

test.each([
  [
    "recovery",
    () => recoveryEmail(site("Data"), "ada@example.com", link, true),
    "Set a new password",
    "in the same browser",
  ],
  [
    "recovery in any browser",
    () => recoveryEmail(site("Data"), "ada@example.com", link, false),
    "Set a new password",
    "within an hour:",
  ],
  [
    "recovery without a password",
    () => noPasswordEmail(site("Data"), "ada@example.com", "Example", link),
    "Open the sign-in page",
    "“Sign in with Example”",
  ],
  [
    "invitation",
    () => invitationEmail(site("Data"), "ada@example.com", link),
    "Accept the invitation",
    "expires after a week",
  ],
  [
    "invitation to a provider",
    () => providerInvitationEmail(site("Data"), "ada@example.com", "Example", link),
    "Open the sign-in page",
    "“Sign in with Example”",
  ],
  [
    "password change",
    () => passwordChangedEmail(site("Data"), "ada@example.com", link),
    "Open the sign-in page",
    "was changed",
  ],
  [
    "password set by an operator",
    () => passwordSetEmail(site("Data"), "ada@example.com", link),
    "Open the sign-in page",
    "An operator of Data",
  ],
  [
    "passkey added",
    () => passkeyAddedEmail(site("Data"), "ada@example.com", "Phone", link),
    "Open your profile",
    "The passkey “Phone” was added",
  ],
  [
    "passkey removed",
    () => passkeyRemovedEmail(site("Data"), "ada@example.com", "Phone", link),
    "Open your profile",
    "The passkey “Phone” can no longer",
  ],
  ["join", () => joinEmail(site("Data"), "ada@example.com", link), "Choose a password", "within 24 hours"],
  [
    "join of a member",
    () => joinKnownEmail(site("Data"), "ada@example.com", link),
    "Open the sign-in page",
    "already ha",
  ],
  [
    "reports",
    () => reportsEmail(site("Data"), "ada@example.com", link),
    "Open the reports",
    "Readers of Data",
  ],
])("the %s email says what happened and what to do, alike as text and as HTML", (_, write, label, phrase) => {
  const { to, subject, text, html } = write();
  expect([to, subject]).toEqual(["ada@example.com", expect.stringContaining("Data")]);
  const parts = text.trimEnd().split("\n\n");
  // Two paragraphs, the link, and what to do if the reader didn't expect the email.
  expect(parts.length).toBe(4);
  expect(parts[2]).toBe(link);
  expect(text).toContain(phrase);
  const shown = decodeEntities(
    html
      .replaceAll("&#39;", "&#x27;")
      .replace(/<title>.*?<\/title>/, "")
      .replace(/<[^>]+>/g, "\n"),
  )
    .split("\n")
    .filter((line) => line.trim() !== "");
  expect(shown).toEqual(["Data", subject, ...parts.slice(0, 2), label, link, parts[3]]);
  for (const part of parts) expect(part.length).toBeGreaterThan(20);
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
