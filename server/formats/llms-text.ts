import type { BackendAddress } from "../../common/data/client.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { TAGLINE } from "../../common/page-services.ts";

/** Describes the site to language models (llmstxt.org), with a title, a summary, notes and sections of links. */
export function writeLlmsText(siteTitle: string, siteUrl: string, { url, key }: BackendAddress): string {
  const apiUrl = url || siteUrl;
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

The page of an item or a person is also available in other formats. Its head announces them as \`rel="alternate"\`.

${files.join("\n")}
- People: \`${siteUrl}/profile/{username}.json\` (JSON Resume), \`${siteUrl}/profile/{username}.vcf\` (vCard)

Programs can read and write everything through an API in the protocol of Supabase. Clients such as supabase-js and
supabase-py need this URL and this public key, which is no secret. The file \`docs/api.md\` of Techfolio's source code
has examples.

- URL: \`${apiUrl}\`
- Public key (header \`apikey\`): \`${key}\`
- OpenAPI description of what the sender of the request may use: \`GET ${apiUrl}/rest/v1/\`
- Search: \`GET ${apiUrl}/rest/v1/rpc/search_everything?search_text=…\`

## Lists

${lists.join("\n")}
- [Professionals](${siteUrl}/people): All people with a name, and their skills. Search with \`?q=\`.
- [Search](${siteUrl}/search): All of them at once. Search with \`?q=\`; all words must be found, and \`-word\` excludes one.

## Optional

${feeds.join("\n")}
- [Sitemap](${siteUrl}/sitemap.xml): the addresses of all pages
- [Search description](${siteUrl}/opensearch.xml): how to search everything
`;
}
