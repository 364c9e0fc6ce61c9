import { html } from "hono/html";
import { INK, MARKER, MUTED, PAPER } from "../../common/colours.ts";
import { fillTemplate, type MailName } from "../config/mail-templates.ts";
import type { Settings } from "../config/settings.ts";
import type { Email } from "./send-email.ts";

export type EmailSite = Pick<Settings, "siteUrl" | "siteName" | "mailTemplates">;

export interface EmailContent {
  /** The name of the files that replace the email's texts. Undefined if nothing can replace them. */
  name?: MailName;
  subject: string;
  paragraphs: string[];
  link: { label: string; address: string };
  closing: string;
}

export function renderEmail(site: EmailSite, to: string, content: EmailContent): Email {
  const { name, subject, paragraphs, link, closing } = content;
  const { siteName, siteUrl, mailTemplates } = site;
  const own = name && mailTemplates?.[name];
  const values = { ConfirmationURL: link.address, SiteURL: siteUrl, Email: to, SiteName: siteName };
  return {
    to,
    subject: own?.subject === undefined ? subject : fillTemplate(own.subject, values),
    text:
      own?.text === undefined
        ? `${[...paragraphs, link.address, closing].join("\n\n")}\n`
        : fillTemplate(own.text, values),
    html: own?.html === undefined ? toHtml(siteName, content) : fillTemplate(own.html, values, escapeHtml),
  };
}

const escapeHtml = (value: string) => html`${value}`.toString();

const FONT = "font-family:Helvetica,Arial,sans-serif;font-size:16px;line-height:1.6";
const NAME = `display:inline-block;background:${MARKER};color:${INK};padding:2px 8px;font-weight:bold`;
const HEADING = "margin:24px 0 16px;font-size:22px;line-height:1.3";
// Style the table cell as the button, because Outlook ignores a link's padding.
const BUTTON = `background:${INK};padding:12px 20px`;
const LABEL = `color:${PAPER};font-weight:bold;text-decoration:none`;
const SMALL = `color:${MUTED};font-size:13px;word-break:break-all`;

function toHtml(siteName: string, { subject, paragraphs, link, closing }: EmailContent): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;background:${PAPER}">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" bgcolor="${PAPER}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:560px;border-top:2px solid ${INK}"><tr><td style="padding-top:16px;color:${INK};${FONT}">
<span style="${NAME}">${siteName}</span>
<h1 style="${HEADING}">${subject}</h1>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}<table role="presentation" cellspacing="0" cellpadding="0"><tr><td bgcolor="${INK}" style="${BUTTON}"><a href="${link.address}" style="${LABEL}">${link.label}</a></td></tr></table>
<p style="${SMALL}"><a href="${link.address}" style="color:${MUTED}">${link.address}</a></p>
<p>${closing}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`.toString();
}
