import { XML_DECLARATION, xmlText } from "../xml.ts";

export interface AtomEntry {
  uuid: string;
  title: string;
  url: string;
  published: string;
  updated: string;
  author: AtomPerson;
  html: string;
  excerpt: string;
}

interface AtomPerson {
  name: string;
  url: string;
}

export interface AtomFeed {
  uuid: string;
  title: string;
  url: string;
  selfUrl: string;
  author: AtomPerson;
  entries: AtomEntry[];
}

/** Whole texts up to here, newest first; then excerpts. */
const WHOLE_TEXTS_BYTES = 5_000_000;
const UPDATED_WITHOUT_ENTRIES = "2025-01-01T00:00:00Z";

/** RFC 4287. */
export function writeAtom({ uuid, title, url, selfUrl, author, entries }: AtomFeed): string {
  let bytesLeft = WHOLE_TEXTS_BYTES;
  const written = entries.map((entry) => {
    const bytes = Buffer.byteLength(entry.html);
    const isWhole = bytes <= bytesLeft;
    if (isWhole) bytesLeft -= bytes;
    return writeEntry(entry, isWhole);
  });
  const newest = entries.map((entry) => entry.updated).reduce(later, UPDATED_WITHOUT_ENTRIES);
  return `${XML_DECLARATION}<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:uuid:${uuid}</id>
<title>${xmlText(title)}</title>
<updated>${xmlText(newest)}</updated>
${writePerson(author)}
<link rel="alternate" type="text/html" href="${xmlText(url)}"/>
<link rel="self" type="application/atom+xml" href="${xmlText(selfUrl)}"/>
${written.join("")}</feed>
`;
}

function writeEntry(
  { uuid, title, url, published, updated, author, html, excerpt }: AtomEntry,
  isWhole: boolean,
) {
  const text = isWhole
    ? `<content type="html">${xmlText(html)}</content>`
    : `<summary>${xmlText(excerpt)}</summary>`;
  return `<entry>
<id>urn:uuid:${uuid}</id>
<title>${xmlText(title)}</title>
<link rel="alternate" type="text/html" href="${xmlText(url)}"/>
<published>${xmlText(published)}</published>
<updated>${xmlText(updated)}</updated>
${writePerson(author)}
${text}
</entry>
`;
}

const writePerson = ({ name, url }: AtomPerson) =>
  `<author><name>${xmlText(name)}</name><uri>${xmlText(url)}</uri></author>`;

const later = (one: string, other: string) => (Date.parse(other) > Date.parse(one) ? other : one);
