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

const NAME = "is not the text of an email: name it .subject.txt, .txt or .html after one of recovery, invite";
const UNKNOWN = "contains the unknown placeholder";
const NO_LINK = "lacks {{ .ConfirmationURL }}";

test.each([
  ["recovery.htm", LINK, NAME],
  ["welcome.txt", LINK, NAME],
  ["constructor.txt", LINK, NAME],
  ["recovery.TXT", LINK, NAME],
  ["subject.txt", "Hello", NAME],
  ["recovery.txt", "Welcome", NO_LINK],
  ["invite.txt", "Welcome", NO_LINK],
  ["join.html", "<p>Welcome, {{ .Email }}</p>", NO_LINK],
  ["join-known.txt", "Sign in", NO_LINK],
  ["recovery.txt", "{{ ConfirmationURL }}", `${UNKNOWN} {{ ConfirmationURL }}`],
  ["recovery.txt", `${LINK} {{ .Token }}`, `${UNKNOWN} {{ .Token }}`],
  ["recovery.txt", `${LINK} {{ .constructor }}`, `${UNKNOWN} {{ .constructor }}`],
  ["recovery.txt", `${LINK} {{ .email }}`, `${UNKNOWN} {{ .email }}`],
  ["recovery.txt", `${LINK} {{ .Email`, `${UNKNOWN} {{`],
  ["recovery.txt", `${LINK} {{ range .Email }}`, `${UNKNOWN} {{ range .Email }}`],
  ["recovery.subject.txt", "{{ .Name }}", `${UNKNOWN} {{ .Name }}`],
  ["recovery.subject.txt", "New password\nBcc: eve@evil.example", "must consist of one line"],
  ["reports.txt", " \n", "is empty"],
  ["reports.html", Uint8Array.of(0x47, 0x72, 0xfc), "is not encoded in UTF-8"],
])(
  "the file %s with %j is rejected with a sentence that names the file and the mistake",
  (name, content, mistake) => {
    const error = new RegExp(`^MAIL_TEMPLATES cannot be used: the file "[^\\n]*/${name}" [^\\n]+\\.$`);
    expect(() => read({ [name]: content })).toThrow(OperatorError);
    expect(() => read({ [name]: content })).toThrow(error);
    expect(() => read({ [name]: content })).toThrow(`/${name}" ${mistake}`);
  },
);

test.each(["recovery", "invite", "join", "join-known", "passkey-added", "passkey-removed", "reports"])(
  "the texts of the email %s can be replaced, and its subject needs no link",
  (name) => {
    const files = { [`${name}.subject.txt`]: "S", [`${name}.txt`]: LINK, [`${name}.html`]: LINK };
    expect(read(files)).toEqual({ [name]: { subject: "S", text: LINK, html: LINK } });
  },
);

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
