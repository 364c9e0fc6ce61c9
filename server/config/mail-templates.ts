import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { systemErrorMessage } from "./error-message.ts";

/** Emails with replaceable texts (contract, "Texts of emails"). True if the email needs its link. */
const NEEDS_LINK = {
  recovery: true,
  invite: true,
  join: true,
  "join-known": true,
  "passkey-added": false,
  "passkey-removed": false,
  reports: false,
};
const FILE_ENDINGS = { subject: ".subject.txt", text: ".txt", html: ".html" } as const;
const PLACEHOLDERS = ["ConfirmationURL", "SiteURL", "Email", "SiteName"] as const;
/** Also finds what only looks like a placeholder, to report it. */
const BRACES = /\{\{(?:\s*\.(\w+)\s*\}\}|.*?\}\}|)/g;

export type MailName = keyof typeof NEEDS_LINK;
type Part = keyof typeof FILE_ENDINGS;
type Placeholder = (typeof PLACEHOLDERS)[number];
export type MailTemplates = Partial<Record<MailName, Partial<Record<Part, string>>>>;

export const MAIL_NAMES = Object.keys(NEEDS_LINK) as MailName[];
const PARTS = Object.keys(FILE_ENDINGS) as Part[];

/** `show` converts each value, for example to escape it. */
export function fillTemplate(
  template: string,
  values: Record<Placeholder, string>,
  show = (value: string) => value,
): string {
  return template.replace(BRACES, (_, name: Placeholder) => show(values[name]));
}

export const mailTemplates = v.pipe(
  v.string(),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }): MailTemplates => {
    const folder = path.resolve(value);
    const templates: MailTemplates = {};
    try {
      for (const file of readdirSync(folder).sort()) {
        // In a mounted Kubernetes ConfigMap, the folder also contains `..data`, and on a Mac `.DS_Store`.
        if (file.startsWith(".")) continue;
        const template = readTemplate(folder, file);
        if (typeof template === "string") {
          addIssue({ message: `cannot be used: the file "${path.join(folder, file)}" ${template}.` });
          return NEVER;
        }
        const { name, part, text } = template;
        templates[name] = { ...templates[name], [part]: text };
      }
    } catch (error) {
      addIssue({
        message: `must be a folder of readable files, but "${folder}" is not: ${systemErrorMessage(error)}.`,
      });
      return NEVER;
    }
    return templates;
  }),
);

/** Returns what is wrong with the file as the end of a sentence. */
function readTemplate(folder: string, file: string) {
  const name = MAIL_NAMES.find((name) => PARTS.some((part) => file === name + FILE_ENDINGS[part]));
  const part = PARTS.find((part) => file === `${name}${FILE_ENDINGS[part]}`);
  if (name === undefined || part === undefined) {
    return `is not the text of an email: name it .subject.txt, .txt or .html after one of ${MAIL_NAMES.join(", ")}`;
  }
  const bytes = readFileSync(path.join(folder, file));
  if (!isUtf8(bytes)) return "is not encoded in UTF-8";
  const written = bytes.toString().replace(/^\uFEFF/, "");
  const text = part === "subject" ? written.trim() : written;
  if (text.trim() === "") return "is empty";
  if (part === "subject" && /\p{Cc}/u.test(text)) return "must consist of one line";
  const found = [...text.matchAll(BRACES)];
  const unknown = found.find(([, placeholder]) => !PLACEHOLDERS.some((known) => known === placeholder));
  if (unknown) {
    const known = PLACEHOLDERS.map((placeholder) => `{{ .${placeholder} }}`).join(", ");
    return `contains the unknown placeholder ${unknown[0].slice(0, 100)}: use one of ${known}`;
  }
  const hasLink = found.some(([, placeholder]) => placeholder === "ConfirmationURL");
  if (part !== "subject" && NEEDS_LINK[name] && !hasLink) {
    return "lacks {{ .ConfirmationURL }}, the link that its readers need";
  }
  return { name, part, text };
}
