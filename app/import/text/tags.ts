import type { Range } from "./markdown-source.ts";

const TARGET = String.raw`["'\x60]?([^"'\x60{}\s]+)["'\x60]?`;
/**
 * The target of a link in Hugo, `[text]({{< ref "post.md" >}})`, or Jekyll, `[text]({% post_url 2021-09-03-title %})`,
 * `[text]({{ site.baseurl }}/title/)` and `[text]({{ "/title/" | relative_url }})`.
 */
export const LINK_TAG = new RegExp(
  String.raw`(?<=\]\()\s*(?:\{\{[<%]\s*(?:rel)?ref\s+${TARGET}[^{}]*[%>]\}\}|(?:\{\{[^{}]*\}\})?\{%-?\s*(?:post_url|link)\s+${TARGET}\s*-?%\}|(?:\{\{\s*site\.(?:url|baseurl)\s*\}\})+(/[^\s(){}<>]*)|\{\{\s*["'](/[^"'\s{}]*)["']\s*\|\s*(?:relative|absolute)_url\s*\}\})\s*(?=\))`,
  "g",
);

/** Hugo's `{{< … >}}` and `{{% … %}}`, and Liquid's `{% … %}`, which Jekyll and Hexo use. */
const TEMPLATE_TAG = /\{\{[<%](?:(?!\{\{[<%])[\s\S])*?[>%]\}\}|\{%(?:(?!\{%)[\s\S])*?%\}/g;
const ATTRIBUTES = `(?:[^<>"']|"[^"<]*"|'[^'<]*')*`;
/** An `<img>`, or a link that contains only an `<img>`. */
const HTML_PICTURE = new RegExp(
  String.raw`(?<link><a\s${ATTRIBUTES}>)\s*(?<linked><img\s${ATTRIBUTES}>)\s*</a>|<img\s${ATTRIBUTES}>`,
  "gi",
);
const TOKEN = /(?:([\w:-]+)\s*=\s*)?(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/g;
const MAX_QUOTED_TAG = 60;

export interface Token {
  /** The attribute's name in lower case. Empty for a word without a name. */
  name: string;
  value: string;
}

/** Splits the inside of a tag into attributes and words. */
export function tokensOf(tag: string): Token[] {
  const inside = tag.replace(/^<\w+|^\{\{[<%]|^\{%-?|\/?>$|\/?\s*[>%]\}\}$|-?%\}$/g, "");
  return Array.from(inside.matchAll(TOKEN), ([, name = "", ...values]) => ({
    name: name.toLowerCase(),
    value: values.find((value) => value !== undefined) ?? "",
  }));
}

export function attribute(tokens: Token[], ...names: string[]): string {
  return names.flatMap((name) => tokens.find((token) => token.name === name)?.value || []).at(0) ?? "";
}

/** Finds the template tags in running text. */
export function templateTags(running: string): Range[] {
  return rangesOf(running.matchAll(TEMPLATE_TAG));
}

/** Shortens a tag for the import's list. */
export function quoteTag(tag: string): string {
  const line = tag.replace(/\s+/g, " ");
  return line.length > MAX_QUOTED_TAG ? `${line.slice(0, MAX_QUOTED_TAG)}…` : line;
}

/** Finds the `<img>` tags in HTML or in running text. `link` is the tag of a link that contains only this picture. */
export function htmlPictures(html: string): (Range & { picture: Range; link: Range | null })[] {
  return Array.from(html.matchAll(HTML_PICTURE), (match) => {
    const { link, linked } = match.groups ?? {};
    const range = { start: match.index, end: match.index + match[0].length };
    if (link === undefined || linked === undefined) return { ...range, picture: range, link: null };
    const start = match.index + match[0].indexOf(linked, link.length);
    return {
      ...range,
      picture: { start, end: start + linked.length },
      link: { start: match.index, end: match.index + link.length },
    };
  });
}

function rangesOf(matches: Iterable<RegExpExecArray>): Range[] {
  return Array.from(matches, ({ 0: text, index }) => ({ start: index, end: index + text.length }));
}

const MAX_LISTED = 10;

/** Joins names for the import's list. */
export function listOf(names: string[]): string {
  const rest = names.length - MAX_LISTED;
  return names.slice(0, MAX_LISTED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
