import { createTransport, type Transporter } from "nodemailer";
import type { Settings } from "../config/settings.ts";
import type { Log } from "../http/log.ts";

/** A mail in plain text to one address. */
export interface Message {
  to: string;
  subject: string;
  text: string;
}

/** Sends mails. */
export interface Mail {
  /** Takes a mail, returns once the mail server has it. Throws what the mail server says. */
  send(message: Message): Promise<void>;
}

/**
 * Takes the settings and the log, returns what sends mails through the SMTP server of the settings. Without one
 * a mail goes to the log, its link included, so that whoever runs the site can pass it on; the log says so at once.
 */
export function createMail(settings: Pick<Settings, "smtp">, log: Log): Mail {
  const { smtp } = settings;
  if (smtp === undefined) {
    log.warn("no mail server: mails go to this log, set SMTP_HOST to send them");
    return {
      async send(message) {
        log.info("mail", { ...message });
      },
    };
  }
  const { from } = smtp;
  const transport = openTransport(smtp);
  return {
    async send({ to, subject, text }) {
      // As an object the address is taken as one, whatever it holds.
      await transport.sendMail({ from, to: { name: "", address: to }, subject, text });
    },
  };
}

/** Takes the settings of a mail server, returns the way to it. Connects when first used. */
export function openTransport(smtp: NonNullable<Settings["smtp"]>): Transporter {
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
