import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startMailServer } from "../../tests/support/mail-server.ts";
import { runHere } from "../../tests/support/run-here.ts";
import { MAIL_NAMES } from "../config/mail-templates.ts";
import { mail } from "./programs/mail.ts";

test.each(MAIL_NAMES)(
  "npm run mail sends a sample of the email %s with the texts in MAIL_TEMPLATES",
  async (name) => {
    const { smtp, received } = await startMailServer();
    const folder = mkdtempSync(path.join(tmpdir(), "techfolio-mail-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(path.join(folder, `${name}.subject.txt`), "From {{ .SiteName }}");
    writeFileSync(path.join(folder, `${name}.txt`), "Dear {{ .Email }}: {{ .ConfirmationURL }}");
    writeFileSync(path.join(folder, `${name}.html`), "<b>{{ .SiteName }}</b> {{ .ConfirmationURL }}");
    const settings = {
      SMTP_HOST: smtp.host,
      SMTP_PORT: String(smtp.port),
      SMTP_FROM: smtp.from,
      SITE_NAME: "Data & Friends",
      SITE_URL: "https://techfolio.test",
      MAIL_TEMPLATES: folder,
    };
    const { code, stdout, stderr } = await runHere(mail, [name, "--to", " Ada@example.com"], settings);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `A sample of the email "${name}" was sent to ada@example.com.\n`,
      stderr: "",
    });
    const email = received.join("\n");
    expect(email).toContain("Subject: From Data & Friends\n");
    expect(email).toContain("\nDear ada@example.com: https://techfolio.test/");
    expect(email).toContain("\n<b>Data &amp; Friends</b> https://techfolio.test/");
  },
);

test("without a mail server, npm run mail prints the sample", async () => {
  const { code, stdout } = await runHere(mail, ["join", "--to", "ada@example.com"], {});
  expect(code).toBe(0);
  expect(stdout).toContain("Email to ada@example.com: Join Techfolio");
});

test.each([
  [["welcome", "--to", "ada@example.com"], "needs one of the names recovery"],
  [["--to", "ada@example.com"], "needs one of the names recovery"],
  [["join", "invite", "--to", "ada@example.com"], "needs one of the names recovery"],
  [["join"], "needs --to with an email address"],
  [["join", "--to", "ada"], "needs --to with an email address"],
  [["join", "--from", "ada@example.com"], "--from"],
])("npm run mail rejects the arguments %j", async (args, reason) => {
  const { code, stdout, stderr } = await runHere(mail, args, {});
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(reason);
});

test("npm run mail reports in one line that the mail server did not accept the sample", async () => {
  const { smtp } = await startMailServer("RCPT");
  const settings = { SMTP_HOST: smtp.host, SMTP_PORT: String(smtp.port), SMTP_FROM: smtp.from };
  const { code, stderr } = await runHere(mail, ["join", "--to", "ada@example.com"], settings);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The mail server did not accept the email: [^\n]*550[^\n]*\n$/);
});
