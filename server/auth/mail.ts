import type { Transporter } from "nodemailer";
import type { Settings } from "../config/settings.ts";
import type { Log } from "../http/log.ts";

export interface Message {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export type SendMail = (message: Message) => Promise<void>;

/** Without an SMTP server mails go to the log, links included, so that the operator can pass them on. */
export function createMail({ smtp }: Pick<Settings, "smtp">, log: Log): SendMail {
  if (smtp === undefined) {
    log.warn({ hint: "Mails go to this log. Set SMTP_HOST to send them." }, "mail.unconfigured");
    return async ({ to, subject, text }) => log.info({ to, subject, text }, "mail");
  }
  const { from } = smtp;
  const opening = openTransport(smtp);
  return async ({ to, subject, text, html }) => {
    const transport = await opening;
    // As an object the address is taken as one, whatever it holds.
    await transport.sendMail({ from, to: { name: "", address: to }, subject, text, html });
  };
}

/** Sites without a mail server start sooner without the library. */
export async function openTransport(smtp: NonNullable<Settings["smtp"]>): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const { host, port, secure, user, password } = smtp;
  return createTransport({
    host,
    port,
    secure,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? "" } }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  });
}
