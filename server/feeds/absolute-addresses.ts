const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

const decoded = (value: string) =>
  value.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? "");

const encoded = (value: string) =>
  value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/**
 * Makes links and pictures of our renderer's HTML absolute, as a feed reader shows them elsewhere. That HTML has its
 * attributes in double quotes and no bare double quote in its texts.
 */
export function withAbsoluteAddresses(html: string, base: string): string {
  return html.replace(/ (href|src)="([^"]+)"/g, (whole, name: string, value: string) => {
    const address = URL.parse(decoded(value), base);
    return address ? ` ${name}="${encoded(address.href)}"` : whole;
  });
}
