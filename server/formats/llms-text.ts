import { KINDS } from "../../common/kinds/index.ts";
import { TAGLINE } from "../../common/page-services.ts";

/** Describes the site to language models (llmstxt.org), with a title, a summary and sections of links. */
export function writeLlmsText(siteTitle: string, siteUrl: string): string {
  const lists = KINDS.map(
    ({ name, path, description }) => `- [${name}](${siteUrl}${path}): ${description} Search with \`?q=\`.`,
  );
  const files = KINDS.flatMap(({ name, path, file }) =>
    file ? [`- ${name}: \`${siteUrl}${path}/{id}.${file.extensions.join("|")}\``] : [],
  );
  const feeds = KINDS.flatMap(({ name, feed }) =>
    feed ? [`- [Feed of ${name.toLowerCase()}](${siteUrl}${feed}): the newest ones as Atom`] : [],
  );
  const names = new Intl.ListFormat("en").format(KINDS.map(({ name }) => name.toLowerCase()));
  return `# ${siteTitle.replace(/\s+/g, " ")}

> ${TAGLINE}

Members publish ${names}, and each member has a page. Everything can be read without
signing in and without JavaScript.

## Lists

${lists.join("\n")}
- [Professionals](${siteUrl}/people): All people with a name, and their skills. Search with \`?q=\`.

## Formats

The page of an item or a person is also available in other formats. Its head announces them as \`rel="alternate"\`.

${files.join("\n")}
- People: \`${siteUrl}/profile/{username}.json\` (JSON Resume), \`${siteUrl}/profile/{username}.vcf\` (vCard)

## Optional

${feeds.join("\n")}
- [Sitemap](${siteUrl}/sitemap.xml): the addresses of all pages
- [Search description](${siteUrl}/opensearch.xml): how to search the articles
`;
}
