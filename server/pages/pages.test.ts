import { describe, expect, test } from "vitest";
import { createDataClient } from "../../common/data/client.ts";
import { readerOf } from "../../common/data/postgrest-reader.ts";
import { MAX_PAGE_BYTES } from "../../common/page-services.ts";
import { createPages, type PageDependencies, type PageRequest } from "./pages.ts";

const REQUEST: PageRequest = { address: "/", siteTitle: "Site", reportFailure: () => undefined };

/** Renders a page with this response of the application. */
function renderPage(
  respond: PageDependencies["handleRequest"],
  request: Partial<PageRequest> = {},
  parts: Partial<PageDependencies> = {},
): Promise<Response> {
  const site = { url: "https://site.test", backend: { url: "", key: "" }, footerLinks: [] };
  const render = createPages({
    site: () => ({ ...site, signIn: { password: true, passkeys: false, providers: [] } }),
    handleRequest: respond,
    data: readerOf(createDataClient({ url: "http://backend.test", key: "key" })),
    render: async () => [],
    ...parts,
  });
  return render({ ...REQUEST, ...request });
}

const respondWith = (chunks: string[], type: string) => async () =>
  new Response(new Blob(chunks).stream(), { headers: { "Content-Type": type } });

describe.each(["text/html", "text/x-script"])("a page of the type %s", (type) => {
  test("a page of 8 MB is complete", async () => {
    const half = "x".repeat(MAX_PAGE_BYTES / 2);
    const response = await renderPage(respondWith([half, half], type));
    expect((await response.arrayBuffer()).byteLength).toBe(MAX_PAGE_BYTES);
  });

  test("a larger page is an error, also if its characters have several bytes", async () => {
    const half = "é".repeat(MAX_PAGE_BYTES / 4);
    const response = await renderPage(respondWith([half, half, "x"], type));
    await expect(response.arrayBuffer()).rejects.toThrow("more than 8388608 bytes");
  });
});

const CACHEABLE = "public, max-age=0, s-maxage=1";

test.each([
  ["text/html", 200, "text/html; charset=utf-8", CACHEABLE],
  ["text/html; charset=utf-8", 200, "text/html; charset=utf-8", CACHEABLE],
  ["text/x-script", 200, "text/x-script; charset=utf-8", "no-cache"],
  ["text/x-script", 404, "text/x-script; charset=utf-8", CACHEABLE],
])(
  "a page of the type %s with status %i has the type %s and the cache rule %s",
  async (type, status, ...expected) => {
    const headers = { "Content-Type": type, "Cache-Control": CACHEABLE };
    const response = await renderPage(async () => new Response("x", { status, headers }));
    expect(response.status).toBe(status);
    expect([response.headers.get("Content-Type"), response.headers.get("Cache-Control")]).toEqual(expected);
  },
);

test("a page without a body or a type is plain text", async () => {
  const response = await renderPage(async () => new Response(null, { status: 204 }));
  expect([response.status, await response.text()]).toEqual([204, ""]);
  expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
});

test("a page with a failed read responds with 503 and its other parts, isn't cached, and reports the failure", async () => {
  const failures: unknown[] = [];
  const response = await renderPage(
    async (_, { logFailure }) => {
      logFailure("read.failed", new Error("The database is down"));
      return new Response("the rest", { headers: { "Cache-Control": CACHEABLE } });
    },
    { reportFailure: (...failure) => void failures.push(failure) },
  );
  expect([response.status, await response.text()]).toEqual([503, "the rest"]);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(response.headers.get("Retry-After")).toBe("2");
  expect(failures).toEqual([[{ reason: "The database is down" }, "read.failed"]]);
});

test("a page gets the request's address, the site with its title, and the services for invitation links and reports only if there are some", async () => {
  const seen: unknown[] = [];
  const respond: PageDependencies["handleRequest"] = async (request, { site, readJoinState, addReport }) => {
    const state = await readJoinState?.("code");
    seen.push([
      request.method,
      request.url,
      request.headers.get("Content-Type"),
      await request.text(),
      site.title,
      site.url,
      state?.is,
      addReport,
    ]);
    return new Response("x");
  };
  const addReport = async () => ({ is: "accepted" }) as const;
  const readJoinState = async () => ({ siteName: "Site", is: "invalid" }) as const;
  await renderPage(respond, { address: "/articles?q=1" });
  await renderPage(respond, { sent: { addReport, body: "a=b" } }, { readJoinState });
  await renderPage(
    respond,
    { joinState: { siteName: "Site", is: "sent", email: "ada@example.com" } },
    { readJoinState },
  );
  const FORM = "application/x-www-form-urlencoded";
  expect(seen).toEqual([
    ["GET", "https://site.test/articles?q=1", null, "", "Site", "https://site.test", undefined, undefined],
    ["POST", "https://site.test/", FORM, "a=b", "Site", "https://site.test", "invalid", addReport],
    ["GET", "https://site.test/", null, "", "Site", "https://site.test", "sent", undefined],
  ]);
});
