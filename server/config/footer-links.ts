import * as v from "valibot";

const FORMAT = 'must be like "Imprint=https://example.com/imprint; Privacy=https://example.com/privacy"';

export const footerLinks = v.pipe(
  v.string(),
  v.transform((list) => list.split(";").flatMap((link) => link.trim() || [])),
  v.array(
    v.pipe(
      v.string(),
      v.regex(/^[^=]*[^=\s][^=]*=/, ({ input }) => `${FORMAT}, but "${input}" lacks a name or an address.`),
      v.transform((link) => {
        const end = link.indexOf("=");
        return { name: link.slice(0, end).trim(), href: link.slice(end + 1).trim() };
      }),
      v.check(
        ({ href }) => isAllowed(href),
        ({ input: { name, href } }) =>
          `leads to "${href}" under the name "${name}": use http, https or mailto, or a path with one slash at its start.`,
      ),
    ),
  ),
);

function isAllowed(href: string): boolean {
  // Browsers remove line breaks from addresses and treat a backslash as a slash, so `/\example.com` would lead to
  // another site.
  if (/[\s\\\p{Cc}]/u.test(href)) return false;
  if (href.startsWith("/")) return !href.startsWith("//");
  return /^(https?|mailto):$/.test(URL.canParse(href) ? new URL(href).protocol : "");
}
