import { decodeEntities } from "../../app/data/description.ts";
import { xmlText } from "./xml.ts";

/**
 * Makes links and pictures of our renderer's HTML absolute, as a feed reader shows them elsewhere. That HTML has its
 * attributes in double quotes and no bare double quote in its texts.
 */
export function withAbsoluteAddresses(html: string, base: string): string {
  return html.replace(/ (href|src)="([^"]+)"/g, (whole, name: string, value: string) => {
    const address = URL.parse(decodeEntities(value), base);
    return address ? ` ${name}="${xmlText(address.href)}"` : whole;
  });
}
