import { readFile } from "node:fs/promises";
import { KINDS } from "../../common/kinds/index.ts";
import { createClient, inParallel, type Outcome } from "./client.ts";
import { type Drill, type Figure, none } from "./figure.ts";
import { type DrillSite, makeAuthor, until, withSite } from "./site.ts";

const PAGES = ["/", "/profile", ...KINDS.map(({ path }) => path), "/nowhere"];
/** Growth up to this size may be garbage that hasn't been collected yet. It doesn't prove that the cache has grown. */
const MAX_GROWTH_MB = 96;
const TIMEOUT_MS = 30_000;
const EVIL = "evil.example";

/** Sets of headers that must not change the page that a visitor gets. */
function variants(token: string): Record<string, string>[] {
  return [
    { authorization: `Bearer ${token}`, cookie: `session=${token}` },
    { host: EVIL },
    { host: `${EVIL}:443` },
    {
      "x-forwarded-host": EVIL,
      "x-forwarded-proto": "https",
      "x-forwarded-for": "1.2.3.4",
      "x-forwarded-prefix": `/${EVIL}`,
      forwarded: `host=${EVIL}`,
    },
    {
      "x-original-url": `/${EVIL}`,
      "x-rewrite-url": `/${EVIL}`,
      "x-http-method-override": "DELETE",
    },
    {
      "accept-language": "tlh",
      accept: "application/json",
      origin: `https://${EVIL}`,
      referer: `https://${EVIL}/`,
    },
    {
      "user-agent": EVIL,
      "sec-fetch-site": "cross-site",
      range: "bytes=0-10",
      "if-none-match": '"x"',
    },
  ];
}

async function sameForAll(site: DrillSite): Promise<Figure[]> {
  const author = await makeAuthor(site);
  const client = createClient(site.url);
  /** Makes all cached pages stale, by a write that changes none of them. The next request for each page renders it. */
  const expirePages = () =>
    client.ask(`/rest/v1/profiles?id=eq.${author.id}`, {
      method: "PATCH",
      headers: {
        apikey: site.keys.anonKey,
        authorization: `Bearer ${author.token}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ company: "Not shown on these pages" }),
    });
  const visit = () => Promise.all(PAGES.map((page) => client.ask(page)));
  const bodies = async () => JSON.stringify((await visit()).map(({ body }) => body));
  await until("every text is rendered", TIMEOUT_MS, async () => {
    const before = await bodies();
    await expirePages();
    return before === (await bodies());
  });
  const expected = await visit();
  const differing: string[] = [];
  let requests = 0;
  for (const [number, headers] of variants(author.token).entries()) {
    const { status } = await expirePages();
    if (status !== 204) throw new Error(`The write that expires the pages got ${status}`);
    // Requests with these headers render the pages and may fill the cache for the visits.
    const own = await Promise.all(PAGES.map((page) => client.ask(page, { headers })));
    const cached = await visit();
    for (const [at, response] of [...own, ...cached].entries()) {
      requests += 1;
      const plain = expected[at % PAGES.length];
      const isSame =
        response.status === plain?.status &&
        response.body === plain.body &&
        response.headers["set-cookie"] === undefined &&
        response.headers["content-security-policy"] === plain.headers["content-security-policy"] &&
        response.headers["etag"] === plain.headers["etag"];
      if (!isSame || response.body.includes(EVIL))
        differing.push(`${PAGES[at % PAGES.length]} variant ${number}: ${response.status}, ${plain?.status}`);
    }
  }
  client.close();
  return [
    none(
      "the same bytes for every visitor, whatever the headers",
      differing.length,
      `${requests} requests ${differing.slice(0, 3)}`,
    ),
  ];
}

async function residentMegabytes(site: DrillSite): Promise<number> {
  const status = await readFile(`/proc/${site.child().pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}

async function boundedCache(site: DrillSite, count: number): Promise<Figure> {
  const client = createClient(site.url);
  let at = 0;
  const visit = async (end: number) => {
    await inParallel(4, async () => {
      await client.ask(`/articles?q=${at}${"long+".repeat(1_500)}&author=${at}`);
      return ++at < end;
    });
    return Math.round(await residentMegabytes(site));
  };
  // The first half fills the cache. The second half should then add hardly any memory.
  const half = await visit(count / 2);
  const full = await visit(count);
  client.close();
  return {
    goal: `the set of cached pages is bounded: the second half of ${count} queries of 7 kB adds less than ${MAX_GROWTH_MB} MB`,
    measured: `${half} MB, then ${full} MB`,
    ok: full - half < MAX_GROWTH_MB,
  };
}

const REQUIRED: Record<string, RegExp> = {
  "content-security-policy": /default-src 'none'.*frame-ancestors 'none'/,
  "x-content-type-options": /^nosniff$/,
  "x-frame-options": /^DENY$/,
  "referrer-policy": /^(strict-origin-when-cross-origin|no-referrer)$/,
  "permissions-policy": /camera=\(\)/,
  "cross-origin-resource-policy": /^same-origin$/,
};

function missingHeaders({ headers }: Outcome): string[] {
  const missing = Object.entries(REQUIRED).filter(
    ([name, value]) => !value.test(String(headers[name] ?? "")),
  );
  return [
    ...missing.map(([name]) => name),
    ...["x-powered-by", "server", "access-control-allow-origin"].filter(
      (name) => headers[name] !== undefined,
    ),
  ];
}

async function policies(site: DrillSite): Promise<Figure[]> {
  const client = createClient(site.url);
  const documents = await Promise.all(PAGES.map((page) => client.ask(page)));
  const weak = documents.filter(({ headers }) => {
    const policy = String(headers["content-security-policy"]);
    return (
      /unsafe-|\*|data:|blob:/.test(policy) ||
      !/script-src 'self' 'nonce-/.test(policy) ||
      !/object-src 'none'/.test(policy) ||
      !/base-uri 'none'/.test(policy) ||
      !/frame-ancestors 'none'/.test(policy)
    );
  });
  const script = /"(\/assets\/[^"]+\.js)"/.exec(documents[0]?.body ?? "")?.[1] ?? "/";
  const others = await Promise.all([
    client.ask(script),
    client.ask("/favicon.svg"),
    client.ask("/robots.txt"),
    client.ask("/healthz"),
    client.ask("/articles", { method: "DELETE" }),
    client.ask("/rest/v1/articles", { headers: { apikey: site.keys.anonKey } }),
    client.ask("/rest/v1/nope"),
    client.ask("/auth/v1/user"),
    client.ask("/auth/v1/nope"),
    client.ask("/articles.data"),
  ]);
  client.close();
  const bare = [...documents, ...others].flatMap(missingHeaders);
  return [
    none(
      "CSP with a nonce, nothing unsafe, object-src, base-uri and frame-ancestors closed",
      weak.length,
      `${PAGES.length} pages`,
    ),
    none(
      "the headers that OWASP lists, on every response",
      bare.length,
      `${documents.length + others.length} responses ${[...new Set(bare)]}`,
    ),
  ];
}

/** Checks that cached pages are the same for everyone, and that responses of every kind have the security headers. */
export const pages: Drill = {
  name: "pages",
  title: "cached pages are the same for everyone, and responses have security headers",
  run: async () => {
    const figures = await withSite({ settings: { SEED: "demo" } }, async (site) => [
      ...(await sameForAll(site)),
      ...(await policies(site)),
      await boundedCache(site, 6_000),
    ]);
    const secure = await withSite({ settings: { SITE_URL: "https://techfolio.example" } }, async (site) => {
      const client = createClient(site.url);
      const { headers } = await client.ask("/");
      client.close();
      return String(headers["strict-transport-security"]);
    });
    figures.push({ goal: "HSTS if SITE_URL is https", measured: secure, ok: /max-age=\d{8}/.test(secure) });
    return figures;
  },
};
