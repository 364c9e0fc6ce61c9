/** An address in brackets, in quotes of a template, or up to the next blank. */
const ADDRESS = String.raw`<[^<>\n]*>|\{\{[^{}\n]*\}\}[^\s()]*|[^\s()<>{}]+(?:\([^\s()]*\)[^\s()]*)*`;
const TITLE = String.raw`(?:\s+(?:"[^"]*"|'[^']*'))?`;
const MARKDOWN = new RegExp(String.raw`(!\[(?:[^[\]\\]|\\.)*\]\(\s*)(${ADDRESS})(${TITLE}\s*\))`, "g");
const DEFINITION = /^( {0,3}\[[^\]\n]+\]:[ \t]*)(\S+)/gm;
/** Obsidian's embeds: `![[plan.png|A plan]]`. */
const EMBED = /!\[\[([^\]|\n]+)(?:\|([^\]\n]*))?\]\]/g;
const HTML = /<img\s[^>]*>/gi;
/** Hugo's shortcode: `{{< figure src="plan.png" alt="A plan" >}}`. */
const FIGURE = /\{\{[<%]\s*figure\s([^{}]*?)\/?[>%]\}\}/g;

/**
 * Replaces the addresses of pictures in a text, as generators of sites write them. `resolve` returns the new address, or
 * undefined if the picture stays as it is.
 */
export function replacePictures(text: string, resolve: (address: string) => string | undefined): string {
  const resolved = (address: string) => resolve(plainAddress(address));
  const fromAttributes = (whole: string) => {
    const address = resolved(attribute(whole, "src"));
    const name = attribute(whole, "alt") || attribute(whole, "title") || attribute(whole, "caption");
    return address === undefined ? whole : picture(name, address);
  };
  return text
    .replace(MARKDOWN, (whole, start: string, address: string, end: string) => {
      const replacement = resolved(address);
      return replacement === undefined ? whole : start + replacement + end;
    })
    .replace(DEFINITION, (whole, start: string, address: string) => {
      const replacement = resolved(address);
      return replacement === undefined ? whole : start + replacement;
    })
    .replace(EMBED, (whole, name: string, alt = "") => {
      const address = resolved(name);
      // A number after the bar is a width.
      return address === undefined ? whole : picture(/^\d+(x\d+)?$/.test(alt) ? "" : alt, address);
    })
    .replace(HTML, fromAttributes)
    .replace(FIGURE, fromAttributes);
}

/** The addresses that `replacePictures` would ask for. */
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

/** Without brackets and without Jekyll's filters: `{{ "/assets/a.png" | relative_url }}`, `{{ site.baseurl }}/a.png`. */
function plainAddress(address: string): string {
  return address
    .replace(/^<|>$/g, "")
    .replace(/\{\{\s*["']([^"']*)["'][^{}]*\}\}/g, "$1")
    .replace(/\{\{[^{}]*\}\}/g, "")
    .trim();
}
