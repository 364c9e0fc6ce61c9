import { afterEach, expect, test } from "vitest";
import { startMailServer } from "../../tests/support/mail-server.ts";
import { createLog } from "../http/log.ts";
import { createEmailSender, trackUnsentEmails } from "./send-email.ts";

const message = {
  to: "ada@example.com",
  subject: "Grüße",
  text: "Open https://techfolio.test/x?a=1\n",
  html: "<p>Open the link</p>",
};
const lines: string[] = [];
const printed: string[] = [];
const print = (text: string) => void printed.push(text);
const log = createLog((line) => void lines.push(line));

afterEach(() => {
  lines.length = 0;
});

test("emails are printed but not logged if no mail server is configured", async () => {
  const sendEmail = createEmailSender({ smtp: undefined }, log, print);
  expect(lines.join("")).toContain("SMTP_HOST");
  await sendEmail(message);
  for (const part of [message.to, message.subject, message.text]) expect(printed.join("\n")).toContain(part);
  expect(lines.join("")).not.toContain("techfolio.test");
  expect(lines.join("")).not.toContain(message.to);
});

test("an email is sent to the mail server as text and HTML without a log entry", async () => {
  const { received, smtp } = await startMailServer();
  await createEmailSender({ smtp }, log, print)(message);
  expect(received).toContain("MAIL FROM:<site@techfolio.test>");
  expect(received).toContain("RCPT TO:<ada@example.com>");
  expect(received.join("\n")).toMatch(/^To: ada@example\.com$/m);
  expect(received.join("\n")).toContain("https://techfolio.test/x?a=");
  expect(received.join("\n")).toMatch(/multipart\/alternative.*text\/plain.*text\/html/s);
  expect(lines).toEqual([]);
});

test("the site signs in to a mail server that requires it", async () => {
  const { received, smtp } = await startMailServer();
  await createEmailSender({ smtp: { ...smtp, user: "site", password: "secret" } }, log, print)(message);
  expect(received).toContain(`AUTH PLAIN ${Buffer.from("\0site\0secret").toString("base64")}`);
});

test("a mail server on this machine is used without TLS, because it has no certificate for 127.0.0.1", async () => {
  const { received, smtp } = await startMailServer("STARTTLS", undefined, true);
  await createEmailSender({ smtp }, log, print)(message);
  expect(received).not.toContain("STARTTLS");
  expect(received).toContain("RCPT TO:<ada@example.com>");
  await expect(
    createEmailSender({ smtp: { ...smtp, requireTLS: true } }, log, print)(message),
  ).rejects.toThrow("STARTTLS");
});

test("an email is sent to at most one recipient, even if the address looks like a list", async () => {
  const { received, smtp } = await startMailServer();
  const to = "ada@example.com, eve@evil.example\r\nBcc: mallory@evil.example";
  await createEmailSender({ smtp }, log, print)({ ...message, to }).catch(() => undefined);
  expect(received.filter((line) => line.startsWith("RCPT")).length).toBeLessThanOrEqual(1);
  expect(received.join("\n")).not.toMatch(/^Bcc:/im);
});

test("sending an email fails with the mail server's status if it rejects the recipient", async () => {
  const { smtp } = await startMailServer("RCPT");
  await expect(createEmailSender({ smtp }, log, print)(message)).rejects.toThrow("550");
});

test("sending an email fails if the mail server cannot be reached", async () => {
  const { smtp, stop } = await startMailServer();
  stop();
  await expect(createEmailSender({ smtp }, log, print)(message)).rejects.toThrow("ECONNREFUSED");
});

test("a shutdown waits for unsent emails until its deadline and logs those that remain", async () => {
  const { sendLater, wait } = trackUnsentEmails(log);
  const slow = Promise.withResolvers<void>();
  sendLater("1", "recovery", slow.promise);
  sendLater("2", "recovery", new Promise(() => undefined));
  setTimeout(slow.resolve, 10);
  await wait(performance.now() + 100);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      event: "mail.failed",
      requestId: "2",
      kind: "recovery",
      reason: "The server stopped before the email was sent",
    }),
  ]);
});
