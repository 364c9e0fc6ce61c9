import { setTimeout as sleep } from "node:timers/promises";
import type { Transporter } from "nodemailer";
import { errorName } from "../config/error-message.ts";
import type { Settings } from "../config/settings.ts";
import { isThisMachine } from "../config/settings-schema.ts";
import type { Log } from "../http/log.ts";

export interface Email {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export type SendEmail = (email: Email) => Promise<void>;

/**
 * Sends emails by SMTP. If no mail server is configured, prints them on standard output, so that the operator can pass
 * on their links. Calls `onEmail` for each email that the mail server accepted, or that could not be sent. Keeps emails
 * out of the log (standard error), because anyone who has an invitation link can sign in.
 */
export function createEmailSender(
  { smtp }: Pick<Settings, "smtp">,
  log: Log,
  print: (text: string) => void,
  onEmail: (isSent: boolean) => void = () => undefined,
): SendEmail {
  if (smtp === undefined) {
    const hint = "Emails are printed on standard output. Set SMTP_HOST to send them.";
    log.info({ hint }, "mail.unconfigured");
    return async ({ to, subject, text }) => print(`\nEmail to ${to}: ${subject}\n\n${text}`);
  }
  const { from } = smtp;
  const transportOpened = openTransport(smtp);
  return async ({ to, subject, text, html }) => {
    const transport = await transportOpened;
    // Pass an object: nodemailer would parse a string as a list of addresses.
    await transport.sendMail({ from, to: { name: "", address: to }, subject, text, html }).then(
      () => onEmail(true),
      (error: unknown) => {
        onEmail(false);
        throw error;
      },
    );
  };
}

/** Imports nodemailer on the first call, because sites without a mail server don't need it. */
export async function openTransport(smtp: NonNullable<Settings["smtp"]>): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const { host, port, secure, requireTLS, user, password } = smtp;
  return createTransport({
    host,
    port,
    secure,
    requireTLS,
    // A mail server usually has no certificate for 127.0.0.1. Other machines can't read such a connection.
    ignoreTLS: !requireTLS && isThisMachine(host),
    ...(user === undefined ? {} : { auth: { user, pass: password ?? "" } }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  });
}

export type UnsentEmails = ReturnType<typeof trackUnsentEmails>;

/**
 * Tracks emails that are sent after the response. If the response waited for the email, it would take longer for an
 * existing account than for an unknown one, and so reveal which accounts exist.
 */
export function trackUnsentEmails(log: Log) {
  const unsent = new Map<Promise<unknown>, object>();
  return {
    sendLater(requestId: string, kind: string, sending: Promise<void>): void {
      const sent = sending
        .catch((error: unknown) => log.error({ requestId, kind, reason: errorName(error) }, "mail.failed"))
        .finally(() => unsent.delete(sent));
      unsent.set(sent, { requestId, kind });
    },
    /** Waits for unsent emails until the deadline, which is a time on the clock of `performance.now()`. */
    async wait(deadline: number): Promise<void> {
      await Promise.race([
        Promise.all(unsent.keys()),
        sleep(Math.max(0, deadline - performance.now()), undefined, { ref: false }),
      ]);
      for (const email of unsent.values())
        log.error({ ...email, reason: "The server stopped before the email was sent" }, "mail.failed");
    },
  };
}
