import { setTimeout as sleep } from "node:timers/promises";
import type { Transporter } from "nodemailer";
import { errorName } from "../config/error-message.ts";
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

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(log: Log) {
  const underWay = new Map<Promise<unknown>, object>();
  return {
    mailLater(requestId: string, kind: string, sending: Promise<void>): void {
      const sent = sending
        .catch((error: unknown) => log.error({ requestId, kind, reason: errorName(error) }, "mail.failed"))
        .finally(() => underWay.delete(sent));
      underWay.set(sent, { requestId, kind });
    },
    /** `until` is a time of `performance.now()`. */
    async finish(until: number): Promise<void> {
      await Promise.race([
        Promise.all(underWay.keys()),
        sleep(Math.max(0, until - performance.now()), undefined, { ref: false }),
      ]);
      for (const mail of underWay.values()) log.error({ ...mail, reason: "stopped" }, "mail.failed");
    },
  };
}
