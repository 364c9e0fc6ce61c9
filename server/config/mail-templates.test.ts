import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fillTemplate } from "./mail-templates.ts";
import { OperatorError } from "./operator-error.ts";
import { readSettings } from "./settings.ts";

const LINK = "{{ .ConfirmationURL }}";

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "techfolio-mail-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function read(files: Record<string, string | Uint8Array>) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
  return readSettings({ MAIL_TEMPLATES: folder }).mailTemplates;
}

test("each file of MAIL_TEMPLATES replaces one part of one email, and hidden files count for nothing", () => {
  const templates = read({
    "recovery.subject.txt": "\uFEFFNew password at {{.SiteName}}\n",
    "recovery.txt": `Hello {{ .Email }},\n\n${LINK}\n`,
    "join-known.html": `<a href="${LINK}">{{ .SiteURL }}</a>`,
    "passkey-added.txt": "A passkey was added.",
    ".DS_Store": "not a text",
  });
  expect(templates).toEqual({
    recovery: { subject: "New password at {{.SiteName}}", text: `Hello {{ .Email }},\n\n${LINK}\n` },
    "join-known": { html: `<a href="${LINK}">{{ .SiteURL }}</a>` },
    "passkey-added": { text: "A passkey was added." },
  });
  expect(read({})).toEqual({});
});

test.each([
  ["recovery.htm", LINK],
  ["welcome.txt", LINK],
  ["constructor.txt", LINK],
  ["recovery.TXT", LINK],
  ["subject.txt", "Hello"],
  ["invite.txt", "Welcome"],
  ["join.html", "<p>Welcome, {{ .Email }}</p>"],
  ["join-known.txt", "Sign in"],
  ["recovery.txt", "{{ ConfirmationURL }}"],
  ["recovery.txt", `${LINK} {{ .Token }}`],
  ["recovery.txt", `${LINK} {{ .constructor }}`],
  ["recovery.txt", `${LINK} {{ .email }}`],
  ["recovery.txt", `${LINK} {{ .Email`],
  ["recovery.subject.txt", "{{ .Name }}"],
  ["recovery.subject.txt", "New password\nBcc: eve@evil.example"],
  ["reports.txt", " \n"],
  ["reports.html", Uint8Array.of(0x47, 0x72, 0xfc)],
])("the file %s with %j is rejected with a one-line error that names the file", (name, content) => {
  const error = new RegExp(`^MAIL_TEMPLATES cannot be used: the file "[^\\n]*/${name}" [^\\n]+\\.$`);
  expect(() => read({ [name]: content })).toThrow(OperatorError);
  expect(() => read({ [name]: content })).toThrow(error);
});

test("MAIL_TEMPLATES must be a folder of files", () => {
  const folder = temporaryFolder();
  const error = /^MAIL_TEMPLATES must be a folder of readable files, but "[^\n]+" is not: [^\n]+\.$/;
  expect(() => readSettings({ MAIL_TEMPLATES: path.join(folder, "missing") })).toThrow(error);
  mkdirSync(path.join(folder, "recovery.txt"));
  expect(() => readSettings({ MAIL_TEMPLATES: folder })).toThrow(error);
});

test("values are inserted unchanged, even if they look like placeholders or replacement patterns", () => {
  const values = { ConfirmationURL: "$&", SiteURL: "$1", Email: "{{ .SiteURL }}", SiteName: "a" };
  const filled = fillTemplate(
    "{{ .Email }} {{.ConfirmationURL}} {{  .SiteURL  }} {{ .SiteName }} { .Email }",
    values,
  );
  expect(filled).toBe("{{ .SiteURL }} $& $1 a { .Email }");
});
