// The CPU time of single requests with the worst bodies, texts, pictures, addresses and searches that the limits on bytes
// allow: that of the server's main thread, which all clients share, and that of the database's connections. CPU time
// hardly depends on what else the machine does.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient, type RequestOptions } from "../drills/client.ts";
import { newClusterDir } from "../support/cluster.ts";
import { connectionsCpu, connectionsCpuSince, mainThreadCpu } from "../support/cpu.ts";
import { connectAdmin, readKeys } from "../support/data-dir.ts";
import { createCommunity } from "../support/members.ts";
import { makePng } from "../support/pictures.ts";
import { launchSite } from "../support/site-process.ts";

const KB = 1024;
const MB = 1024 * KB;
/** Other programs and the garbage collector can only add to the CPU time. */
const TRIES = 3;
/** For one rejected request, or 20 times an ordinary one where that is more. */
const MAX_MAIN_MS = 50;
const MAX_DATABASE_MS = 200;
const MAX_RATIO = 20;

const dataDir = await newClusterDir();
const site = await launchSite({ DATA_DIR: dataDir, SEED: "demo" });
await site.running();
const keys = await readKeys(dataDir);
const admin = await connectAdmin(dataDir);
const community = createCommunity({ ...site, dataDir, keys });
const member = await community.addMember({ full_name: "A Member" });
const { access_token } = await community.openSession(member);
const client = createClient(site.url, 1);
const pid = site.child.pid ?? 0;
afterAll(async () => {
  client.close();
  await admin.end();
  await site.end("SIGTERM");
});

interface Sent extends RequestOptions {
  path: string;
}

/** Milliseconds of CPU time. */
interface Times {
  main: number;
  database: number;
}

interface Cost extends Times {
  status: number;
}

interface Measuring {
  tries?: number;
  /** Ends the tries once both times are below these limits. */
  limits?: Times;
}

/**
 * Sends the request several times and returns the least CPU time of each kind. A request that a busy machine can't serve
 * in time is sent again, because it has cost almost nothing.
 */
async function costOf(
  make: (attempt: number) => Sent,
  { tries = TRIES, limits = { main: 0, database: 0 } }: Measuring = {},
): Promise<Cost> {
  const cost: Cost = { status: 0, main: Number.POSITIVE_INFINITY, database: Number.POSITIVE_INFINITY };
  let served = 0;
  for (let attempt = 0; served < tries && attempt < 2 * tries; attempt++) {
    if (cost.main < limits.main && cost.database < limits.database) break;
    const { path, ...options } = make(attempt);
    const [main, connections] = [await mainThreadCpu(pid), await connectionsCpu(admin)];
    const { status } = await client.ask(path, options);
    const database = await connectionsCpuSince(admin, connections);
    cost.status = status;
    if (status >= 500) continue;
    served += 1;
    cost.main = Math.min(cost.main, (await mainThreadCpu(pid)) - main);
    cost.database = Math.min(cost.database, database);
  }
  return cost;
}

const apikey = keys.anonKey;
const asMember = { apikey, authorization: `Bearer ${access_token}` };
const json = (body: unknown, headers: Record<string, string> = asMember, method = "POST") => ({
  method,
  ...jsonBody(typeof body === "string" ? body : JSON.stringify(body), headers),
});
/** Node announces no size for the body of a DELETE by itself. */
const jsonBody = (body: string, headers: Record<string, string>) => ({
  body,
  headers: {
    ...headers,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
  },
});
const get = (path: string, headers: Record<string, string> = { apikey }): Sent => ({
  path,
  // The site renders pages again, as for a forced reload.
  headers: { "cache-control": "no-cache", ...headers },
});

/** Returns a text of at least this many bytes, except that its last part is cut. */
const fill = (bytes: number, part: string | ((index: number) => string), separator = "") => {
  const parts: string[] = [];
  for (let size = 0; size < bytes; ) {
    const next = typeof part === "string" ? part : part(parts.length);
    parts.push(next);
    size += next.length + separator.length;
  }
  return parts.join(separator).slice(0, bytes);
};

const article = (content: string, more: object = {}) => ({
  author_id: member.id,
  title: "An article",
  content,
  ...more,
});
const upload = (bytes: Buffer, name: string, type = "image/png"): Sent => ({
  path: `/storage/v1/object/pictures/${member.id}/${name}`,
  method: "POST",
  headers: { ...asMember, "content-type": type },
  body: bytes,
});

const ordinaryRead = await costOf(() => get("/rest/v1/articles?select=*,profiles(username)&limit=20"), {
  tries: 10,
});
const CHEAP: Times = {
  main: Math.max(MAX_MAIN_MS, MAX_RATIO * ordinaryRead.main),
  database: Math.max(MAX_DATABASE_MS, MAX_RATIO * ordinaryRead.database),
};

/** Checks that the request is rejected, and that it takes less than these times. */
async function expectCheap(sent: Sent, of: string, limits = CHEAP): Promise<void> {
  const { status, main, database } = await costOf(() => sent, { limits });
  expect([status, of]).toEqual([expect.toSatisfy((code: number) => code >= 400 && code < 500), of]);
  expect(main, `${of}: the main thread's CPU time`).toBeLessThan(limits.main);
  expect(database, `${of}: the database's CPU time`).toBeLessThan(limits.database);
}

const rows = (count: number, row: (index: number) => object) =>
  Array.from({ length: count }, (_, at) => row(at));
const SMALL = 60 * KB;

/** Each of these requests is rejected. Those with large bodies are of a member, from whom the server reads them. */
const REJECTED: Record<string, () => Sent> = {
  "an insert of empty lists": () => ({
    path: "/rest/v1/articles",
    ...json(`[${fill(2 * MB - 9, "[],")}[]]`),
  }),
  "an insert of an object with 140,000 fields": () => ({
    path: "/rest/v1/articles",
    ...json(`{${fill(2 * MB - 20, (at) => `"k${at}":1,`).replace(/,[^,]*$/, "")}}`),
  }),
  "an update with 2 MB of nested lists in a text": () => ({
    path: "/rest/v1/articles?id=not.is.null",
    ...json({ content: [JSON.parse(`[${fill(1.5 * MB, "[1],")}[]]`)] }, asMember, "PATCH"),
  }),
  "a read with 8,000 parentheses": () => get(`/rest/v1/articles?or=${"(".repeat(8_000)}`),
  "a read with 1,300 filters": () => get(`/rest/v1/articles?${fill(8_000, "a=eq.", "&")}`),
  "a read with 2,000 unknown parameters": () =>
    get(`/rest/v1/articles?${fill(8_000, (at) => `${at}=`, "&")}`),
  "a read with 2,000 columns": () => get(`/rest/v1/articles?select=${fill(8_000, (at) => `c${at}`, ",")}`),
  "a read with a tower of embedded tables": () => get(`/rest/v1/articles?select=${"a(".repeat(4_000)}`),
  "a read with quoted names": () =>
    get(`/rest/v1/articles?select=${fill(8_000, encodeURIComponent('"a\\'))}`),
  "a search with 16 kB of arguments": () => ({
    path: "/rest/v1/rpc/search_everything",
    ...json(`{${fill(16 * KB - 20, (at) => `"k${at}":1,`).replace(/,[^,]*$/, "")}}`, { apikey }),
  }),
  "a sign-in with an email address of 60 kB": () => ({
    path: "/auth/v1/token?grant_type=password",
    ...json({ email: `${"a.".repeat(SMALL / 2)}@example.com`, password: "x" }, { apikey }),
  }),
  "a sign-in with nested objects": () => ({
    path: "/auth/v1/token?grant_type=password",
    ...json(`{${fill(SMALL, (at) => `"k${at}":{"a":[[]]},`)}"email":1}`, { apikey }),
  }),
  "a refresh with a token of 60 kB": () => ({
    path: "/auth/v1/token?grant_type=refresh_token",
    ...json({ refresh_token: "x".repeat(SMALL) }, { apikey }),
  }),
  "a link with a token of 60 kB": () => ({
    path: "/auth/v1/verify",
    ...json({ type: "recovery", token_hash: "x".repeat(SMALL) }, { apikey }),
  }),
  "a passkey whose parts have 50 kB": () => ({
    path: "/auth/v1/passkeys/authentication/verify",
    ...json({ challenge_id: crypto.randomUUID(), credential: { id: "x".repeat(50_000) } }, { apikey }),
  }),
  "a new password next to 60 kB of wrong attributes": () => ({
    path: "/auth/v1/user",
    ...json(`{${fill(SMALL, (at) => `"k${at}":1,`)}"password":1}`, asMember, "PUT"),
  }),
  "metadata of 60 kB in 6,000 names": () => ({
    path: "/auth/v1/user",
    ...json(`{"data":{${fill(SMALL, (at) => `"k${at}":1,`)}"z":1}}`, asMember, "PUT"),
  }),
  "a form of 5 MB with thousands of parts": () => ({
    path: `/storage/v1/object/pictures/${member.id}/me.png`,
    method: "POST",
    headers: { ...asMember, "content-type": "multipart/form-data; boundary=b" },
    body: `--b${fill(5 * MB - 20, '\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n--b')}`,
  }),
  "5 MB that start like a PNG": () => upload(startLike("\x89PNG\r\n\x1a\n"), "me.png"),
  "5 MB that start like a JPEG": () =>
    upload(startLike("\xff\xd8", Buffer.from("ffe00002", "hex")), "me.jpg"),
  "5 MB that start like a GIF": () => upload(startLike("GIF89a", Buffer.from("21fe0000", "hex")), "me.gif"),
  "5 MB that start like a WebP": () =>
    upload(startLike("RIFF\0\0\0\0WEBP", Buffer.from("VP8Q\0\0\0\0")), "me.webp"),
  "5 MB that start like an AVIF": () =>
    upload(startLike("\0\0\0\x14ftypavif\0\0\0\0avif", Buffer.from("\0\0\0\x08meta")), "me.avif"),
  "a list of pictures with a body of 256 kB": () => ({
    path: "/storage/v1/object/list/pictures",
    ...json(`{${fill(255 * KB, (at) => `"k${at}":[],`)}"limit":1}`),
  }),
  "the deletion of 6,000 pictures": () => ({
    path: "/storage/v1/object/pictures",
    ...json({ prefixes: rows(6_000, () => ({})).map(() => "a") }, asMember, "DELETE"),
  }),
  "a member's request for the operators' session": () => get("/admin/v1/session", asMember),
  "a member's invitations": () => ({
    path: "/admin/v1/invitations",
    ...json({ lines: rows(15_000, () => ({})).map(() => "a") }),
  }),
  "a page with an address of 8,000 slashes": () => get(`/articles${"/x".repeat(4_000)}`),
  "an unknown item's file": () => get(`/articles/${"a".repeat(4_000)}-000000000000.md`),
  "an unknown person's card": () => get(`/cards/people/${crypto.randomUUID()}.png`),
};

/** Returns 5 MB that start like a picture and go on with parts of the same format. */
function startLike(start: string, part = Buffer.from("\0\0\0\0IDAT\0\0\0\0", "latin1")): Buffer {
  const first = Buffer.from(start, "latin1");
  const rest = Buffer.alloc(5 * MB - first.length, part);
  return Buffer.concat([first, rest]);
}

describe("rejected requests to the API", () => {
  test.each(Object.entries(REJECTED))(
    "%s takes at most 50 ms of the main thread and 200 ms of the database",
    (name, make) => expectCheap(make(), name),
  );
});

interface Comparison {
  ordinary: (attempt: number) => Sent;
  worst: Record<string, (attempt: number) => Sent>;
}

const ordinaryText = (bytes: number) =>
  fill(bytes, "An index is a sorted copy of some columns, which a query reads instead. ");
const insert = (table: string, row: object, prefer = "return=minimal"): Sent => ({
  path: `/rest/v1/${table}`,
  ...json(row, { ...asMember, prefer }),
});
const inserts = (content: string) => () => insert("articles", article(content));

function picture(paddingBytes: number, attempt: number): Sent {
  const { bytes, width, height, extension } = makePng(10, 10, attempt, paddingBytes);
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  return upload(bytes, `${digest}-${width}x${height}.${extension}`);
}

const filters = (condition: (at: number) => string) =>
  `or=(${rows(20, () => ({}))
    .map((_, at) => condition(at))
    .join()})`;
const search = (words: string) => () => get(`/search?q=${encodeURIComponent(words)}`);

const ACCEPTED: Record<string, Comparison> = {
  "a read of 20 articles": {
    ordinary: () => get("/rest/v1/articles?select=*,profiles(username)&limit=20"),
    worst: {
      "twenty filters of all texts": () =>
        get(`/rest/v1/articles?select=id&${filters((at) => `content.ilike.*a*b*c*${at}*`)}`),
      "related rows in both directions, and their order": () =>
        get(
          "/rest/v1/profiles?select=*,articles(*),skills(*),useful_links(*),code_samples(*)&articles.order=title&limit=20",
        ),
      "500 ids": () =>
        get(
          `/rest/v1/articles?id=in.(${rows(200, () => ({}))
            .map(() => crypto.randomUUID())
            .join()})`,
        ),
      "an exact count and a late page": () =>
        get("/rest/v1/articles?select=*&order=content&offset=5", { apikey, prefer: "count=exact" }),
      "the description of the API": () => get("/rest/v1/", asMember),
    },
  },
  "a search for two words": {
    ordinary: search("sql index"),
    worst: {
      "single letters": search("a e i o u n s t r l"),
      "300 different words": search(fill(300, (at) => `${at.toString(36)} `)),
      patterns: search("%_%_%_%_%_ \\\\ %"),
      "one long word": search("pneumono".repeat(40)),
      "characters that fold into several": search("ﷺ".repeat(100)),
      "combining marks": search(`a${"\u0301".repeat(299)}`),
      "a list's search by author": () => get(`/articles?q=a&author=${encodeURIComponent("e")}&sort=asc`),
      people: () => get(`/people?q=${"a%20".repeat(75)}`),
    },
  },
  "an article of 400 kB": {
    ordinary: inserts(ordinaryText(400 * KB)),
    worst: {
      "different words": inserts(fill(400 * KB, (at) => `${at.toString(36)} `)),
      "one word": inserts("x".repeat(400 * KB)),
      "capital letters with accents": inserts(fill(200 * KB, "ÀÉÎÕÜ ")),
      "combining marks": inserts(fill(200 * KB, "a\u0301\u0327")),
      "characters that fold into several": inserts("ﷺ".repeat(40_000)),
      Chinese: inserts(fill(130 * KB, (at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000)))),
      "brackets of Markdown": inserts("[".repeat(400 * KB)),
      "quotes of Markdown": inserts(fill(400 * KB, "> ")),
      addresses: inserts(fill(400 * KB, (at) => `https://a.test/${at} `)),
      HTML: inserts(fill(400 * KB, "<!--a--><b>")),
    },
  },
  "a picture of 1 MB": {
    ordinary: (attempt) => picture(MB, attempt),
    worst: {
      "almost 5 MB": (attempt) => picture(5 * MB - 300, attempt + 100),
    },
  },
  "a change of a member's metadata": {
    ordinary: () => ({ path: "/auth/v1/user", ...json({ data: { name: "A Member" } }, asMember, "PUT") }),
    worst: {
      "16 kB in 1,500 names": () => ({
        path: "/auth/v1/user",
        ...json(`{"data":{${fill(14_000, (at) => `"k${at}":1,`)}"z":1}}`, asMember, "PUT"),
      }),
    },
  },
  "a list of pictures": {
    ordinary: () => ({ path: "/storage/v1/object/list/pictures", ...json({ prefix: member.id }) }),
    worst: {
      "the list of all folders": () => ({
        path: "/storage/v1/object/list/pictures",
        ...json({ prefix: "" }),
      }),
      "a search of 250 kB": () => ({
        path: "/storage/v1/object/list/pictures",
        ...json({ prefix: member.id, search: "%_".repeat(120_000) }),
      }),
      "the deletion of 1,000 pictures that don't exist": () => ({
        path: "/storage/v1/object/pictures",
        ...json(
          { prefixes: rows(1_000, () => ({})).map((_, at) => `${member.id}/${at}`) },
          asMember,
          "DELETE",
        ),
      }),
    },
  },
};

describe.each(Object.entries(ACCEPTED))("compared with %s", (of, { ordinary, worst }) => {
  let usual: Cost;
  beforeAll(async () => {
    usual = await costOf(ordinary);
  });

  test.each(Object.entries(worst))("%s takes at most 20 times the CPU time", async (name, make) => {
    const limits = {
      main: MAX_RATIO * Math.max(1, usual.main),
      database: MAX_RATIO * Math.max(1, usual.database),
    };
    const cost = await costOf(make, { limits });
    const statuses = [usual.status, cost.status].map((status) => Math.floor(status / 100));
    expect([of, name, ...statuses]).toEqual([of, name, 2, 2]);
    expect(cost.main, "the main thread").toBeLessThan(limits.main);
    expect(cost.database, "the database").toBeLessThan(limits.database);
  });
});

/** The values of a row's fields, as JSON. A missing title makes PostgreSQL reject the first row. */
const value = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('""', "1e308", '"2026-01-01"', "[]", "{}", '"\\ud83d\\ude00"', '"[[[[[[[["', '"{1,2,{"'),
  fc.string({ unit: "grapheme" }).map((text) => JSON.stringify(text)),
);
const row = fc.array(fc.tuple(fc.constantFrom("id", "content", "published", "created_at"), value), {
  minLength: 1,
  maxLength: 4,
});

test("inserts of 1.5 MB with random values are rejected within 50 ms of the main thread and 200 ms of the database", async () => {
  const bodies = fc.array(row, { minLength: 1, maxLength: 3 }).map((different) => {
    const parts = different.map(
      (fields) => `{"author_id":"${member.id}",${fields.map(([name, json]) => `"${name}":${json}`).join()}}`,
    );
    const count = Math.min(20_000, Math.floor((1.5 * MB) / (parts.join().length + 1)) * parts.length);
    return `[${rows(count, () => ({}))
      .map((_, at) => parts[at % parts.length])
      .join()}]`;
  });
  await fc.assert(
    fc.asyncProperty(bodies, (body) =>
      expectCheap({ path: "/rest/v1/articles", ...json(body) }, body.slice(0, 200)),
    ),
    { numRuns: 15 },
  );
});

describe("inserts of 5,000 rows", () => {
  const insertRows = (last: object): Sent => ({
    path: "/rest/v1/articles",
    ...json([...rows(4_999, () => article("x")), last]),
  });
  let accepted: Cost;
  beforeAll(async () => {
    accepted = await costOf(() => insertRows(article("x")));
    expect(accepted.status).toBe(201);
  });

  // The database needs 120 to 250 ms, depending on the processor.
  test.each<[string, object]>([
    ["lacks its title", article("x", { title: null })],
    ["is another member's", article("x", { author_id: crypto.randomUUID() })],
  ])("one whose last row %s takes no more than an accepted one", (fault, last) =>
    expectCheap(insertRows(last), fault, { ...CHEAP, database: accepted.database }),
  );
});
