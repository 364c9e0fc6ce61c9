import { describe, expect, test } from "vitest";
import { createDataClient } from "../../common/data/client.ts";
import { readerOf } from "../../common/data/postgrest-reader.ts";
import { MAX_PAGE_BYTES } from "../../common/page-services.ts";
import { createPages } from "./pages.ts";

/** Renders a page with these chunks as its body. */
function renderPage(chunks: string[], type: string): Promise<Response> {
  const site = { url: "https://site.test", backend: { url: "", key: "" }, footerLinks: [] };
  const render = createPages({
    site: () => ({ ...site, signIn: { password: true, passkeys: false, providers: [] } }),
    handleRequest: async () => new Response(new Blob(chunks).stream(), { headers: { "Content-Type": type } }),
    data: readerOf(createDataClient({ url: "http://backend.test", key: "key" })),
    render: async () => [],
  });
  return render({ address: "/", siteTitle: "Site", reportFailure: () => undefined });
}

describe.each(["text/html", "text/x-script"])("a page of the type %s", (type) => {
  test("a page of 8 MB is complete", async () => {
    const half = "x".repeat(MAX_PAGE_BYTES / 2);
    const response = await renderPage([half, half], type);
    expect((await response.arrayBuffer()).byteLength).toBe(MAX_PAGE_BYTES);
  });

  test("a larger page is an error, also if its characters have several bytes", async () => {
    const half = "é".repeat(MAX_PAGE_BYTES / 4);
    const response = await renderPage([half, half, "x"], type);
    await expect(response.arrayBuffer()).rejects.toThrow("more than 8388608 bytes");
  });
});
