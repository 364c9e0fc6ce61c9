import { escapeXml, XML_DECLARATION } from "../xml.ts";

interface AtomHead {
  uuid: string;
  title: string;
  url: string;
  author: { name: string; url: string };
}

export interface AtomEntry extends AtomHead {
  published: string;
  updated: string;
  /** Undefined if the article wasn't read, because its text would no longer fit in the feed. */
  html: string | undefined;
  summary: string;
}

export interface AtomFeed extends AtomHead {
  selfUrl: string;
  entries: AtomEntry[];
}

/** The maximum total size of the articles' HTML in a feed. Articles that don't fit have only a summary. */
export const MAX_TEXT_BYTES = 5_000_000;
const UPDATED_IF_EMPTY = "2025-01-01T00:00:00Z";

/** For readers who open the feed in a browser. It is a file in `public/`. */
const STYLE_SHEET = '<?xml-stylesheet type="text/css" href="/feed.css"?>\n';

/** Writes an Atom feed (RFC 4287). */
export function writeAtom({ entries, selfUrl, ...head }: AtomFeed): string {
  let bytesLeft = MAX_TEXT_BYTES;
  const written = entries.map(({ html, summary, published, updated, ...entry }) => {
    const bytes = Buffer.byteLength(html ?? "");
    const fits = html !== undefined && bytes <= bytesLeft;
    if (fits) bytesLeft -= bytes;
    return `<entry>
${writeHead(entry, updated)}
<published>${escapeXml(published)}</published>
${fits ? `<content type="html">${escapeXml(html)}</content>` : `<summary>${escapeXml(summary)}</summary>`}
</entry>
`;
  });
  // All times from the database end in +00:00, and "+" sorts before "." and digits, so text order is time order even
  // though the number of fractional digits varies.
  const newest = entries.map(({ updated }) => updated).sort();
  return `${XML_DECLARATION}${STYLE_SHEET}<feed xmlns="http://www.w3.org/2005/Atom">
${writeHead(head, newest.at(-1) ?? UPDATED_IF_EMPTY)}
<link rel="self" type="application/atom+xml" href="${escapeXml(selfUrl)}"/>
${written.join("")}</feed>
`;
}

const writeHead = ({ uuid, title, url, author }: AtomHead, updated: string) => `<id>urn:uuid:${uuid}</id>
<title>${escapeXml(title)}</title>
<updated>${escapeXml(updated)}</updated>
<author><name>${escapeXml(author.name)}</name><uri>${escapeXml(author.url)}</uri></author>
<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>`;
