import { normalizeEmail } from "../../auth/email-address.ts";
import type { EmailSite } from "../../auth/email-template.ts";
import {
  invitationEmail,
  joinEmail,
  joinKnownEmail,
  passkeyAddedEmail,
  passkeyRemovedEmail,
  recoveryEmail,
  reportsEmail,
} from "../../auth/emails.ts";
import { createEmailSender, type Email } from "../../auth/send-email.ts";
import { commandLine } from "../../config/command-line.ts";
import { errorMessage } from "../../config/error-message.ts";
import { MAIL_NAMES, type MailName } from "../../config/mail-templates.ts";
import { OperatorError, UsageError } from "../../config/operator-error.ts";
import { type ProgramDefinition, parseArguments } from "../program.ts";

const USAGE = `${commandLine("mail", "NAME --to E")}

Sends a sample of an email to the address E, with the texts in MAIL_TEMPLATES. Its link has no effect. Without
SMTP_HOST, prints the email. NAME is one of ${MAIL_NAMES.join(", ")}.
`;

const SAMPLES: Record<MailName, (site: EmailSite, to: string) => Email> = {
  recovery: (site, to) => recoveryEmail(site, to, sampleLink(site, "recovery"), false),
  invite: (site, to) => invitationEmail(site, to, sampleLink(site, "invite")),
  join: (site, to) => joinEmail(site, to, sampleLink(site, "invite")),
  "join-known": (site, to) => joinKnownEmail(site, to, `${site.siteUrl}/profile`),
  "passkey-added": (site, to) => passkeyAddedEmail(site, to, "Sample", `${site.siteUrl}/profile#passkeys`),
  "passkey-removed": (site, to) => passkeyRemovedEmail(site, to, "Sample", `${site.siteUrl}/profile`),
  reports: (site, to) => reportsEmail(site, to, `${site.siteUrl}/admin`),
};

const sampleLink = ({ siteUrl }: EmailSite, type: string) =>
  `${siteUrl}/profile?token_hash=sample&type=${type}`;

export const mail: ProgramDefinition = {
  name: "mail",
  usage: USAGE,
  async run(args, { settings, log, print }) {
    const { values, positionals } = parseArguments("mail", {
      args,
      options: { to: { type: "string" } },
      allowPositionals: true,
    });
    const name = MAIL_NAMES.find((known) => known === positionals[0]);
    if (name === undefined || positionals.length > 1) {
      throw new UsageError(`"mail" needs one of the names ${MAIL_NAMES.join(", ")}`);
    }
    const to = normalizeEmail(values.to ?? "");
    if (to === undefined) throw new UsageError('"mail" needs --to with an email address');
    const sendEmail = createEmailSender(settings, log, print);
    await sendEmail(SAMPLES[name](settings, to)).catch((error: unknown) => {
      throw new OperatorError(`The mail server did not accept the email: ${errorMessage(error)}`);
    });
    if (settings.smtp) print(`A sample of the email "${name}" was sent to ${to}.`);
  },
};
