// Sends hostile requests. Each must be rejected in PostgREST's error format, change nothing and reveal nothing.
import { afterAll, expect, test } from "vitest";
import { startTestRest } from "../../tests/support/rest.ts";

const TABLES = ["profiles", "skills", "articles", "useful_links", "code_samples"];
const ID = "00000000-0000-4000-8000-000000000001";

const rest = await startTestRest();
const ada = await rest.signedIn();
await rest.admin.query(
  "insert into public.articles (id, author_id, title, content) values ($1, $2, 'T', 'C')",
  [ID, ada.id],
);
await rest.admin.query("insert into public.skills (id, profile_id, name) values ($1, $2, 'sql')", [
  ID,
  ada.id,
]);
const before = await snapshot();
afterAll(async () => {
  expect(await snapshot()).toEqual(before);
  expect(rest.onWrite).not.toHaveBeenCalled();
  await rest.stop();
});

async function snapshot(): Promise<unknown> {
  const all = await Promise.all(
    TABLES.map((table) => rest.admin.query(`select * from public.${table} order by id`)),
  );
  return all.map(({ rows }) => rows);
}

/** Matches the server's own SQL, its file paths and PostgreSQL's DETAIL, which no response may contain. */
const LEAK =
  /json_agg|row_to_json|lateral|"t"|"public"|returning|::|node_modules|\.ts\b|\bat .+:\d+|Failing row|Key \(/;

async function expectRejection(response: Response, status: number, code: string): Promise<void> {
  const text = await response.text();
  expect
    .soft([response.status, response.headers.get("content-type")])
    .toEqual([status, "application/json; charset=utf-8"]);
  const body = JSON.parse(text);
  expect.soft(Object.keys(body)).toEqual(["code", "details", "hint", "message"]);
  expect.soft(body.code).toBe(code);
  expect.soft(body.message).toEqual(expect.any(String));
  expect.soft(text).not.toMatch(LEAK);
  expect.soft(text.length).toBeLessThan(1000);
}

type Case = [path: string, status: number, code: string];

/** Shortens a request for the title of its test. */
const label = (text: string) => (text.length > 70 ? `${text.slice(0, 70)}… (${text.length})` : text);

const reads: Case[] = [
  // Tables and paths
  ["nothing", 404, "PGRST205"],
  ["users", 404, "PGRST205"],
  ["auth.users", 404, "PGRST205"],
  ["public.articles", 404, "PGRST205"],
  ["pg_tables", 404, "PGRST205"],
  ["schema_migrations", 404, "PGRST205"],
  ["__proto__", 404, "PGRST205"],
  ["constructor", 404, "PGRST205"],
  ["ARTICLES", 404, "PGRST205"],
  ["articles%20", 404, "PGRST205"],
  ["articles;drop%20table%20articles", 404, "PGRST205"],
  ["%22articles%22", 404, "PGRST205"],
  ["articles%0A", 404, "PGRST205"],
  ["%F0%9F%98%80", 404, "PGRST205"],
  ["x".repeat(5000), 404, "PGRST205"],
  ["articles/1", 404, "PGRST125"],
  ["articles%2F1", 404, "PGRST205"],
  ["..%2Fauth", 404, "PGRST205"],
  ["rpc/session_is_live", 404, "PGRST202"],
  ["rpc/pg_sleep?seconds=10", 404, "PGRST202"],
  ["rpc/", 404, "PGRST125"],
  // The parameter `select`
  ["articles?select=nope", 400, "42703"],
  ["articles?select=ctid", 400, "42703"],
  ["articles?select=xmin", 400, "42703"],
  ["articles?select=__proto__", 400, "42703"],
  ["articles?select=id,*,(", 400, "PGRST100"],
  ["articles?select=id%20from%20auth.users--", 400, "PGRST100"],
  ["articles?select=%22id%22%22%22", 400, "PGRST100"],
  ["articles?select=version()", 400, "PGRST200"],
  ["articles?select=content->>x", 400, "PGRST100"],
  ["articles?select=title.count()", 400, "PGRST123"],
  ["articles?columns=title", 400, "PGRST127"],
  ["articles?on_conflict=id", 400, "PGRST127"],
  ["articles?select=id,...profiles(id)", 400, "PGRST100"],
  ["profiles?select=id,...articles(title)", 400, "PGRST119"],
  ["articles?select=a%22b:id", 400, "PGRST100"],
  ["articles?select=a%27:id", 400, "PGRST100"],
  ["articles?select=users(*)", 400, "PGRST200"],
  ["articles?select=skills(*)", 400, "PGRST200"],
  ["articles?select=articles(*)", 400, "PGRST200"],
  ["articles?select=profiles!nothing(*)", 400, "PGRST200"],
  ["articles?select=profiles(nope)", 400, "42703"],
  ["articles?select=profiles(id,skills(id))", 400, "PGRST127"],
  ["profiles?select=users(encrypted_password)", 400, "PGRST200"],
  [`articles?select=${Array(200).fill("id").join(",")}`, 400, "PGRST100"],
  [`articles?select=${"profiles(".repeat(800)}`, 400, "PGRST127"],
  // Filters
  ["articles?id=1", 400, "PGRST100"],
  ["articles?id=eq.1", 400, "22P02"],
  ["articles?id=eq.%27%20or%20true--", 400, "22P02"],
  [`articles?id=eq.${ID}%27`, 400, "22P02"],
  ["articles?id=in.(1,2)", 400, "22P02"],
  ["articles?id=ilike.*0*", 404, "42883"],
  ["articles?published=eq.maybe", 400, "22P02"],
  ["articles?title=is.true", 400, "42804"],
  ["articles?created_at=gt.yesterdayish", 400, "22007"],
  ["articles?created_at=gt.99999999999-01-01", 400, "22008"],
  ["skills?proficiency=eq.99999999999", 400, "22003"],
  ["skills?proficiency=eq.1;select%201", 400, "22P02"],
  ["profiles?featured_skills=eq.{a", 400, "22P02"],
  ["articles?title=like.*%5C", 400, "22025"],
  ["articles?title=like(any).{a}", 400, "PGRST100"],
  ["articles?nope=eq.1", 400, "42703"],
  ["articles?title%27--=eq.1", 400, "PGRST100"],
  ["articles?apikey=x", 400, "PGRST100"],
  ["articles?title=xx.1", 400, "PGRST100"],
  ["articles?title=match.^(a%2B)%2B$", 400, "PGRST100"],
  ["articles?title=fts.a", 400, "PGRST100"],
  ["articles?title=eq(any).{a}", 400, "PGRST100"],
  ["articles?title=cs.{a}", 404, "42883"],
  ["articles?and=(content.not.cs.{a},content.not.cs.{b})", 404, "42883"],
  ["articles?or=(content.ov.{a})", 404, "42883"],
  ["articles?or=(content.cs.{a,{b}})", 400, "PGRST100"],
  ["profiles?featured_skills=cs.SQL", 400, "22P02"],
  [`articles?or=(${Array(21).fill("content.ilike.*a*").join()})`, 400, "PGRST100"],
  ["articles?title=isdistinct.a", 400, "PGRST100"],
  ["articles?title=not.fts(english).a", 400, "PGRST100"],
  ["articles?or=()", 400, "PGRST100"],
  ["articles?or=(title.eq.a", 400, "PGRST100"],
  ["articles?or=(nope.eq.a)", 400, "42703"],
  ["articles?or=title.eq.a", 400, "PGRST100"],
  [`articles?or=${"(or".repeat(2000)}`, 400, "PGRST100"],
  ["articles?profiles.username=eq.a", 400, "PGRST108"],
  ["articles?select=id,profiles(id)&profiles.nope=eq.1", 400, "42703"],
  ["articles?select=id,profiles(id)&profiles.skills.name=eq.1", 400, "PGRST127"],
  [`articles?${"title=eq.a&".repeat(150)}`, 400, "PGRST100"],
  [`articles?id=in.(${Array(600).fill("1").join(",")})`, 400, "PGRST100"],
  // The parameters `order`, `limit` and `offset`
  ["articles?order=nope", 400, "42703"],
  ["articles?order=title;drop", 400, "PGRST100"],
  ["articles?order=(select%201)", 400, "PGRST100"],
  ["articles?order=profiles(username)", 400, "PGRST108"],
  ["articles?select=profiles(id)&order=profiles(nope)", 400, "42703"],
  ["profiles?select=articles(id)&order=articles(title)", 400, "PGRST118"],
  ["profiles?select=articles(id)&articles.order=profiles(id)", 400, "PGRST127"],
  ["profiles?articles=is.null", 400, "42703"],
  ["profiles?select=articles()&articles=eq.1", 400, "42703"],
  ["profiles?select=a:articles(id),b:articles(id)&articles.limit=1", 400, "PGRST100"],
  ["profiles?select=a:articles(id)&a.limit=1&articles.order=id", 400, "PGRST100"],
  ["profiles?select=a:articles(),b:articles(),c:articles()", 400, "PGRST100"],
  ["articles?order=1", 400, "42703"],
  ["articles?limit=all", 400, "PGRST100"],
  ["articles?limit=1e3", 400, "PGRST100"],
  ["articles?limit=-1", 416, "PGRST103"],
  ["articles?offset=-1", 416, "PGRST103"],
  ["articles?limit=1;select", 400, "PGRST100"],
  ["articles?skills.limit=1", 400, "PGRST108"],
  // Invalid escapes, and a URL that is too long
  ["articles?title=eq.%00", 400, "PGRST100"],
  ["articles?title=eq.a%00b", 400, "PGRST100"],
  ["articles?%00=eq.1", 400, "PGRST100"],
  ["articles?title=eq.%FF", 400, "PGRST100"],
  ["articles?title=eq.%C0%80", 400, "PGRST100"],
  ["articles?title=eq.%ED%A0%80", 400, "PGRST100"],
  ["articles?title=eq.%", 400, "PGRST100"],
  ["articles%00", 400, "PGRST100"],
  ["articles%FF", 400, "PGRST100"],
  ["%C0%80", 400, "PGRST100"],
  [`articles?title=eq.${"x".repeat(10_000)}`, 414, "PGRST100"],
];

test.each(reads.map((each) => [label(each[0]), each] as const))(
  "GET %s is rejected",
  async (_, [path, status, code]) => {
    await expectRejection(await rest.request(path), status, code);
  },
);

test("a HEAD request is rejected like a GET request, but without a body", async () => {
  for (const [path, status] of reads.filter(([path]) => path.startsWith("articles?"))) {
    const response = await rest.request(path, { method: "HEAD" });
    expect.soft([path, response.status, await response.text()]).toEqual([path, status, ""]);
  }
});

const headers: [Record<string, string>, number, string][] = [
  [{ "accept-profile": "auth" }, 406, "PGRST106"],
  [{ "accept-profile": "pg_catalog" }, 406, "PGRST106"],
  [{ "accept-profile": "" }, 406, "PGRST106"],
  [{ accept: "text/csv" }, 406, "PGRST107"],
  [{ accept: "application/vnd.pgrst.plan+json; options=analyze" }, 406, "PGRST107"],
  [{ accept: "application/openapi+json" }, 406, "PGRST107"],
  [{ range: "9-1" }, 416, "PGRST103"],
  [{ prefer: "timezone=Nowhere" }, 400, "PGRST122"],
  [{ prefer: "max-affected=1" }, 400, "PGRST122"],
  [{ accept: "application/vnd.pgrst.object+json", range: "5-" }, 406, "PGRST116"],
];

test.each(headers)("GET articles with the headers %j is rejected with %d", async (given, status, code) => {
  await expectRejection(await rest.request("articles", { headers: given }), status, code);
});

type Sent = [
  method: string,
  path: string,
  body: string,
  status: number,
  code: string,
  more?: Record<string, string>,
];

const skill = (more: object) => JSON.stringify({ profile_id: "OWN", name: "x", ...more });

const writes: Sent[] = [
  ["PATCH", "articles", '{"title":"x"}', 400, "21000"],
  ["PATCH", "articles?select=id&order=id", '{"title":"x"}', 400, "21000"],
  ["PATCH", "articles?select=id,profiles(id)&profiles.id=not.is.null", '{"title":"x"}', 400, "21000"],
  ["PATCH", "articles?or=", '{"title":"x"}', 400, "PGRST100"],
  ["PATCH", `articles?id=eq.${ID}`, '[{"title":"x"}]', 400, "PGRST102"],
  ["PATCH", `articles?id=eq.${ID}`, "", 400, "PGRST102"],
  ["PATCH", `articles?id=eq.${ID}`, '{"title":""}', 400, "23514"],
  ["PATCH", `articles?id=eq.${ID}`, '{"title":null}', 400, "23502"],
  ["PATCH", `articles?id=eq.${ID}`, '{"nope":1}', 400, "PGRST204"],
  ["PATCH", `articles?id=eq.${ID}`, '{"title = content --":1}', 400, "PGRST204"],
  ["PATCH", `articles?id=eq.${ID}&columns=nope`, '{"title":"x"}', 400, "PGRST204"],
  ["PATCH", `articles?nope=eq.${ID}`, '{"title":"x"}', 400, "42703"],
  ["DELETE", "skills", "", 400, "21000"],
  ["DELETE", "skills?select=*&order=id", "", 400, "21000"],
  ["DELETE", "skills?id=eq.x", "", 400, "22P02"],
  ["DELETE", `skills?id=eq.${ID}`, "", 400, "PGRST124", { prefer: "handling=strict, max-affected=0" }],
  ["PATCH", `skills?id=eq.${ID}`, '{"name":"x"}', 400, "PGRST124", { prefer: "max-affected=0" }],
  ["PATCH", `skills?id=eq.${ID}&order=name`, '{"name":"x"}', 400, "PGRST127"],
  ["PATCH", `skills?id=eq.${ID}&limit=1`, '{"name":"x"}', 400, "PGRST127"],
  ["PATCH", `skills?id=eq.${ID}`, '{"name":"x"}', 400, "PGRST127", { range: "0-0" }],
  ["DELETE", `skills?id=eq.${ID}`, "", 400, "PGRST127", { range: "0-0" }],
  ["DELETE", `skills?id=eq.${ID}`, "", 406, "PGRST106", { "accept-profile": "auth" }],
  ["POST", "skills?nosuch=eq.1", skill({}), 400, "PGRST127"],
  ["POST", "skills?nosuch=1", skill({}), 400, "PGRST100"],
  ["POST", "skills?on_conflict=id", skill({ id: ID }), 400, "PGRST127"],
  [
    "POST",
    "skills?name=eq.other",
    skill({ id: ID }),
    400,
    "PGRST127",
    { prefer: "resolution=merge-duplicates" },
  ],
  ["DELETE", `skills?id=eq.${ID}`, "", 400, "PGRST127", { prefer: "return=minimal, tx=rollback" }],
  ["DELETE", "profiles?id=not.is.null", "", 403, "42501"],
  ["PUT", `articles?id=eq.${ID}`, '{"title":"x"}', 405, "PGRST117"],
  ["LOCK", "articles", "", 405, "PGRST117"],
  ["LOCK", "nothing", "", 404, "PGRST205"],
  ["POST", "nothing", "{}", 404, "PGRST205"],
  ["POST", "rpc/session_is_live", "{}", 404, "PGRST202"],
  ["POST", "skills", "", 400, "PGRST102"],
  ["POST", "skills", "{", 400, "PGRST102"],
  ["POST", "skills", "null", 400, "PGRST102"],
  ["POST", "skills", '"x"', 400, "PGRST102"],
  ["POST", "skills", "[[]]", 400, "PGRST102"],
  ["POST", "skills", '[{"name":"a"},{"profile_id":"b"}]', 400, "PGRST102"],
  ["POST", "skills", skill({ __proto__x: 1 }), 400, "PGRST204"],
  ["POST", "skills", '{"__proto__":{"name":"x"}}', 400, "PGRST204"],
  ["POST", "skills", skill({ 'name"); drop table skills; --': 1 }), 400, "PGRST204"],
  ["POST", "skills", skill({ name: null }), 400, "23502"],
  ["POST", "skills", skill({ proficiency: 6 }), 400, "23514"],
  ["POST", "skills", skill({ proficiency: "many" }), 400, "22P02"],
  ["POST", "skills", skill({ proficiency: 1e20 }), 400, "22003"],
  ["POST", "skills", skill({ proficiency: {} }), 400, "22P02"],
  ["POST", "skills", skill({ category: "cobol" }), 400, "23514"],
  ["POST", "skills", skill({ id: "x" }), 400, "22P02"],
  ["POST", "skills", skill({ id: ID }), 409, "23505"],
  ["POST", "skills", skill({ created_at: "soon" }), 400, "22007"],
  ["POST", "skills", skill({ profile_id: ID }), 403, "42501"],
  ["POST", "skills", skill({ name: "a\u0000b" }), 400, "22P05"],
  ["POST", "skills", skill({ name: "\ud800" }), 400, "PGRST102"],
  ["POST", "skills?columns=nope", skill({}), 400, "PGRST204"],
  ["POST", "skills?columns=", skill({}), 400, "PGRST100"],
  ["POST", "skills?select=nope", skill({}), 400, "42703", { prefer: "return=representation" }],
  ["POST", "skills?select=articles(*)", skill({}), 400, "PGRST200", { prefer: "return=representation" }],
  ["POST", "skills?on_conflict=nope", skill({}), 400, "42703", { prefer: "resolution=merge-duplicates" }],
  ["POST", "skills?on_conflict=name", skill({}), 400, "42P10", { prefer: "resolution=merge-duplicates" }],
  ["POST", "skills", JSON.stringify(Array(20_001).fill({})), 400, "PGRST102"],
  ["POST", "skills", `{"name":${"[".repeat(70)}${"]".repeat(70)}}`, 400, "PGRST102"],
  ["POST", "skills", "[".repeat(900_000), 400, "PGRST102"],
  ["POST", "skills", skill({ name: "x".repeat(2 * 1_048_576) }), 413, "PGRST102"],
  ["POST", "skills", skill({}), 413, "PGRST102", { "content-length": "99999999" }],
  ["POST", "skills", skill({}), 415, "PGRST102", { "content-type": "text/plain" }],
  ["POST", "skills", "name=x", 415, "PGRST102", { "content-type": "application/x-www-form-urlencoded" }],
  ["POST", "skills", "<x/>", 415, "PGRST102", { "content-type": "text/xml" }],
  ["POST", "skills", skill({}), 415, "PGRST102", { "content-encoding": "gzip" }],
  ["POST", "skills", skill({}), 406, "PGRST106", { "content-profile": "auth" }],
  ["POST", "skills", skill({}), 406, "PGRST107", { accept: "text/html" }],
  ["POST", "skills", "[]", 406, "PGRST116", { accept: "application/vnd.pgrst.object+json" }],
  [
    "POST",
    "useful_links",
    '{"profile_id":"OWN","title":"x","category":"x","url":"javascript:alert(1)"}',
    400,
    "23514",
  ],
  [
    "POST",
    "useful_links",
    '{"profile_id":"OWN","title":"x","category":"x","url":" javascript:alert(1)"}',
    400,
    "23514",
  ],
  [
    "POST",
    "useful_links",
    '{"profile_id":"OWN","title":"x","category":"x","url":"java\\nscript:alert(1)"}',
    400,
    "23514",
  ],
];

const named = writes.map((each) => [each[0], label(each[1]), label(each[2]), each] as const);

test.each(named)(
  "%s %s with the body %s is rejected",
  async (_, __, ___, [method, path, body, status, code, more = {}]) => {
    const response = await rest.request(path, {
      method,
      headers: { "content-type": "application/json", authorization: `Bearer ${ada.token}`, ...more },
      ...(body === "" ? {} : { body: body.replace("OWN", ada.id) }),
    });
    await expectRejection(response, status, code);
  },
);

test("a body with invalid UTF-8 is rejected", async () => {
  const response = await rest.request("skills", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${ada.token}` },
    body: new Uint8Array([...new TextEncoder().encode('{"name":"'), 0xff, 0x22, 0x7d]),
  });
  await expectRejection(response, 400, "PGRST102");
});

test.each([
  ["articles", "PUT", "GET, HEAD, POST, PATCH, DELETE, OPTIONS"],
  ["rpc/search_people", "DELETE", "GET, HEAD, POST, OPTIONS"],
])(
  "a request to %s with the unsupported method %s gets 405 with an Allow header",
  async (path, method, allowed) => {
    const response = await rest.request(path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allowed);
  },
);

test.each([
  ["", "GET, HEAD, OPTIONS"],
  ["articles", "GET, HEAD, POST, PATCH, DELETE, OPTIONS"],
  ["versions", "GET, HEAD, DELETE, OPTIONS"],
  ["operator_log", "GET, HEAD, POST, OPTIONS"],
  ["rpc/search_people", "GET, HEAD, POST, OPTIONS"],
])("OPTIONS %s names the methods that exist", async (path, allowed) => {
  const response = await rest.request(path, { method: "OPTIONS" });
  expect([response.status, response.headers.get("allow")]).toEqual([204, allowed]);
});

test("a request from another origin gets no CORS headers", async () => {
  const foreign = { origin: "https://evil.example", "access-control-request-method": "GET" };
  for (const method of ["OPTIONS", "GET"]) {
    const response = await rest.request("articles", { method, headers: foreign });
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  }
  const options = await rest.request("articles", { method: "OPTIONS", headers: foreign });
  expect([options.status, options.headers.get("allow")]).toEqual([
    204,
    "GET, HEAD, POST, PATCH, DELETE, OPTIONS",
  ]);
});
