import { type Context, Hono } from "hono";
import { itemPath } from "../../common/data/addresses.ts";
import type { BackendAddress } from "../../common/data/client.ts";
import { findItem } from "../../common/data/content-reads.ts";
import type { DataReader } from "../../common/data/reader.ts";
import type { ContentRow } from "../../common/data/schema.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { itemFileDisposition, itemFileText } from "../../common/kinds/item-file.ts";
import { isPublic, type KindDefinition } from "../../common/kinds/kind-definition.ts";
import { CACHEABLE } from "../../common/page-services.ts";
import { writeJsonResume } from "./json-resume.ts";
import { writeLlmsText } from "./llms-text.ts";
import { writeOpenSearch } from "./open-search.ts";
import { readPortfolio } from "./portfolio.ts";
import { writeVcard } from "./vcard.ts";

/**
 * Serves content in open formats: articles as Markdown files, samples as code files, people as JSON Resume and vCard,
 * and the site as `llms.txt` and OpenSearch (docs/contract.md, "To take elsewhere").
 */
export function createFormats(data: DataReader, siteUrl: string, backend: BackendAddress): Hono {
  const routes = new Hono();

  for (const kind of KINDS) {
    const { file } = kind;
    if (!file) continue;
    routes.get(`${kind.path}/:file{.*[0-9a-fA-F]{12}\\.[a-z]+}`, async (c, next) => {
      const [, segment = "", extension] = /^(.*)\.([a-z]+)$/.exec(c.req.param("file")) ?? [];
      // Leave `.data` to React Router, which serves the data of the item's page there.
      if (extension === "data") return next();
      const row = await findItem<ContentRow>(data, kind.table, segment);
      if (row && file.extension(row) === extension) return sendFile(c, kind, file, row);
      return notFound(c);
    });
  }
  routes.get("/profile/:file{.+\\.json}", async (c) => {
    const portfolio = await readPortfolio(data, withoutExtension(c.req.param("file")));
    return portfolio
      ? send(c, "application/json", writeJsonResume(portfolio, c.var.siteTitle, siteUrl))
      : notFound(c);
  });
  routes.get("/profile/:file{.+\\.vcf}", async (c) => {
    const portfolio = await readPortfolio(data, withoutExtension(c.req.param("file")));
    return portfolio ? send(c, "text/vcard", writeVcard(portfolio, siteUrl)) : notFound(c);
  });
  routes.get("/llms.txt", (c) => send(c, "text/plain", writeLlmsText(c.var.siteTitle, siteUrl, backend)));
  routes.get("/opensearch.xml", (c) =>
    send(c, "application/opensearchdescription+xml", writeOpenSearch(c.var.siteTitle, siteUrl)),
  );
  return routes;

  function sendFile(
    c: Context,
    kind: KindDefinition,
    file: NonNullable<KindDefinition["file"]>,
    row: ContentRow,
  ) {
    return send(c, file.mediaType, itemFileText(kind, file, row), {
      "Content-Disposition": itemFileDisposition(row, file.extension(row)),
      // Search engines should list the page, not the file.
      Link: `<${siteUrl}${itemPath(kind, row)}>; rel="canonical"`,
      ...(!isPublic(kind, row) && { "X-Robots-Tag": "noindex" }),
    });
  }
}

const withoutExtension = (file: string) => file.slice(0, file.lastIndexOf("."));

const send = (c: Context, mediaType: string, text: string, headers: Record<string, string> = {}) =>
  c.body(text, 200, {
    "Content-Type": `${mediaType}; charset=utf-8`,
    "Cache-Control": CACHEABLE,
    ...headers,
  });

const notFound = (c: Context) => c.text("Not Found\n", 404, { "Cache-Control": "no-store" });
