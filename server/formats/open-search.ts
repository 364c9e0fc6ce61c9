import { TAGLINE } from "../../common/page-services.ts";
import { escapeXml, XML_DECLARATION } from "../xml.ts";

/** OpenSearch 1.1 limits `ShortName` to 16 characters. */
const SHORT_NAME_CHARACTERS = 16;

/** Writes an OpenSearch 1.1 description. Browsers use it to offer the search over everything as a search engine. */
export function writeOpenSearch(siteTitle: string, siteUrl: string): string {
  const shortName = Array.from(siteTitle).slice(0, SHORT_NAME_CHARACTERS).join("").trim();
  const search = `${siteUrl}/search?q={searchTerms}`;
  return `${XML_DECLARATION}<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${escapeXml(shortName)}</ShortName>
<Description>${escapeXml(TAGLINE)}</Description>
<Url type="text/html" template="${escapeXml(search)}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${escapeXml(`${siteUrl}/opensearch.xml`)}"/>
<Image type="image/svg+xml">${escapeXml(`${siteUrl}/favicon.svg`)}</Image>
<Language>en</Language>
<InputEncoding>UTF-8</InputEncoding>
</OpenSearchDescription>
`;
}
