/** A URL in angle brackets or in a template's braces, or a bare URL, which may contain pairs of parentheses. */
const ADDRESS = String.raw`<[^<>\n]*>|\{\{[^{}\n]*\}\}[^\s()]*|[^\s()<>{}]+(?:\([^\s()]*\)[^\s()]*)*`;
const TITLE = String.raw`(?:\s+(?:"[^"]*"|'[^']*'))?`;
const MARKDOWN = new RegExp(String.raw`(!\[(?:[^[\]\\]|\\.)*\]\(\s*)(${ADDRESS})(${TITLE}\s*\))`, "g");
const DEFINITION = /^( {0,3}\[[^\]\n]+\]:[ \t]*)(\S+)/gm;
/** Obsidian's syntax: `![[plan.png|A plan]]`. */
const EMBED = /!\[\[([^\]|\n]+)(?:\|([^\]\n]*))?\]\]/g;
const HTML = /<img\s[^>]*>/gi;
/** Hugo's shortcode: `{{< figure src="plan.png" alt="A plan" >}}`. */
const FIGURE = /\{\{[<%]\s*figure\s([^{}]*?)\/?[>%]\}\}/g;

/**
 * Replaces the URLs of an article's pictures. Converts pictures in the syntax of HTML, Obsidian or Hugo to Markdown.
 * `resolve` returns the new URL, or undefined to leave the picture unchanged.
 */
export function replacePictures(text: string, resolve: (address: string) => string | undefined): string {
  const resolved = (address: string) => resolve(plainAddress(address));
  const fromAttributes = (match: string) => {
    const address = resolved(attribute(match, "src"));
    const name = attribute(match, "alt") || attribute(match, "title") || attribute(match, "caption");
    return address === undefined ? match : picture(name, address);
  };
  return text
    .replace(MARKDOWN, (match, start: string, address: string, end: string) => {
      const replacement = resolved(address);
      return replacement === undefined ? match : start + replacement + end;
    })
    .replace(DEFINITION, (match, start: string, address: string) => {
      const replacement = resolved(address);
      return replacement === undefined ? match : start + replacement;
    })
    .replace(EMBED, (match, name: string, alt = "") => {
      const address = resolved(name);
      // A number after the bar is the picture's width, not its description.
      return address === undefined ? match : picture(/^\d+(x\d+)?$/.test(alt) ? "" : alt, address);
    })
    .replace(HTML, fromAttributes)
    .replace(FIGURE, fromAttributes);
}

/** Returns the URLs of the pictures that `replacePictures` finds. */
export function pictureAddresses(text: string): Set<string> {
  const addresses = new Set<string>();
  replacePictures(text, (address) => {
    addresses.add(address);
    return undefined;
  });
  return addresses;
}

function picture(name: string, address: string): string {
  return `![${name.replace(/[[\]\\\s]+/g, " ").trim()}](${address})`;
}

function attribute(tag: string, name: string): string {
  const [, double, single] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "i").exec(` ${tag}`) ?? [];
  return double ?? single ?? "";
}

/** Turns `<a.png>`, `{{ "a.png" | relative_url }}` and `{{ site.baseurl }}a.png` into `a.png`. */
function plainAddress(address: string): string {
  return address
    .replace(/^<|>$/g, "")
    .replace(/\{\{\s*["']([^"']*)["'][^{}]*\}\}/g, "$1")
    .replace(/\{\{[^{}]*\}\}/g, "")
    .trim();
}
