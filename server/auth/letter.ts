import { html } from "hono/html";
import type { Message } from "./mail.ts";

export interface Letter {
  subject: string;
  paragraphs: string[];
  link: { label: string; address: string };
  closing: string;
}

/** The same words twice: as plain text and as HTML. */
export function writeMessage(to: string, letter: Letter): Message {
  const { subject, paragraphs, link, closing } = letter;
  const text = `${[...paragraphs, link.address, closing].join("\n\n")}\n`;
  return { to, subject, text, html: toHtml(letter) };
}

// Mail programs know inline styles and tables. Outlook draws a cell's background and padding, not a link's.
const PAGE = "margin:0;padding:24px;font-family:Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5";
const BUTTON = "background:#1d4ed8;border-radius:6px;padding:12px 20px";
const LABEL = "color:#ffffff;font-weight:bold;text-decoration:none";
const ADDRESS = "font-size:13px;word-break:break-all";

function toHtml({ subject, paragraphs, link, closing }: Letter): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="${PAGE}">
<div style="max-width:560px;margin:0 auto">
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}<table role="presentation" cellspacing="0" cellpadding="0"><tr><td bgcolor="#1d4ed8" style="${BUTTON}">
<a href="${link.address}" style="${LABEL}">${link.label}</a>
</td></tr></table>
<p style="${ADDRESS}"><a href="${link.address}">${link.address}</a></p>
<p>${closing}</p>
</div>
</body>
</html>
`.toString();
}
