import { KINDS } from "../../common/kinds/index.ts";
import { createClient, inParallel, type RequestOptions } from "./client.ts";
import { type Drill, type Figure, none } from "./figure.ts";
import { createRandom, type Random } from "./random.ts";
import { type Author, type DrillSite, makeAuthor, withSite } from "./site.ts";

const AT_ONCE = 16;

const tables = ["profiles", "skills", ...KINDS.map(({ table }) => table)];
const columns = [
  "id",
  "profile_id",
  "author_id",
  "name",
  "title",
  "content",
  "created_at",
  "published",
  "featured_skills",
  "proficiency",
  "nope",
];
const operators = [
  "eq",
  "neq",
  "gt",
  "gte",
  "lt",
  "lte",
  "like",
  "ilike",
  "in",
  "is",
  "not.eq",
  "cs",
  "fts",
  "match",
  "ov",
  "any",
  "??",
];
const scraps = [
  "'",
  '"',
  "--",
  ";",
  "/*",
  "\\",
  "%00",
  "%",
  "*",
  "(",
  ")",
  "{",
  "}",
  ",",
  ".",
  ":",
  "::",
  "->>",
  "!",
  "$1",
  "$" + "{x}",
  "\u0000",
  "\ud800",
  "😀",
  "null",
  "NaN",
  "1e999",
  "-1",
  "99999999999999999999",
  "' or 1=1--",
  "'; drop table articles; --",
  "pg_sleep(9)",
  "../../etc/passwd",
  "{{7*7}}",
  "__proto__",
  "constructor",
  "%ff%fe",
  "<script>",
];
const authPaths = [
  "token?grant_type=password",
  "token?grant_type=refresh_token",
  "token?grant_type=pkce",
  "token?grant_type=",
  "user",
  "logout?scope=nobody",
  "recover",
  "verify",
  "signup",
  "otp",
  "magiclink",
  "invite",
  "admin/users",
  "admin/users/1",
  "admin/generate_link",
  "settings",
  "health",
  "authorize",
  "callback",
  "factors",
  ".well-known/jwks.json",
  "sso",
  "resend",
  "reauthenticate",
];
const authFields = [
  "email",
  "password",
  "phone",
  "refresh_token",
  "auth_code",
  "code_verifier",
  "token",
  "token_hash",
  "type",
  "redirect_to",
  "data",
  "code_challenge",
  "code_challenge_method",
  "gotrue_meta_security",
  "__proto__",
];
const methods = ["GET", "GET", "HEAD", "POST", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

/** Matches internals that an error response must not reveal: SQL, stack traces, paths, other members' rows. */
const LEAK =
  /\b(select .+ from|insert into|update .+ set|json_agg|lateral|returning )\b|node_modules|\/server\/|\bat .+:\d+:\d+|\.ts\b|Failing row|Key \(|encrypted_password|pg_catalog|techfolio-drill/i;

function scrap({ pick, text, number }: Random): string {
  return number(3) === 0 ? text(12) : Array.from({ length: number(4) }, () => pick(scraps)).join("");
}

function value(random: Random, depth = 0): unknown {
  const { number, pick } = random;
  switch (number(depth > 3 ? 5 : 8)) {
    case 0:
      return scrap(random);
    case 1:
      return pick([0, -1, 1.5, 1e21, 2 ** 53, null, true, false]);
    case 2:
      return pick(scraps);
    case 3:
      return crypto.randomUUID();
    case 4:
      return "2026-01-01";
    case 5:
      return Array.from({ length: number(4) }, () => value(random, depth + 1));
    case 6:
      return Object.fromEntries([[scrap(random), value(random, depth + 1)]]);
    default:
      return "x".repeat(number(5_000));
  }
}

function row(random: Random, fields: string[]): object {
  return Object.fromEntries(
    Array.from({ length: random.number(5) }, () => [
      random.number(6) === 0 ? scrap(random) : random.pick(fields),
      value(random),
    ]),
  );
}

function body(random: Random, fields: string[]): string | Buffer {
  switch (random.number(8)) {
    case 0:
      return scrap(random);
    case 1:
      return Buffer.from(random.text(80), "latin1");
    case 2:
      return "[".repeat(random.number(3_000));
    case 3:
      return JSON.stringify(Array.from({ length: random.number(4) }, () => row(random, fields)));
    default:
      return JSON.stringify(row(random, fields));
  }
}

function parameter(random: Random): string {
  const { pick, number } = random;
  const encode = number(8) === 0 ? encodeURI : encodeURIComponent;
  const operand = encode(scrap(random).toWellFormed());
  switch (number(6)) {
    case 0:
      return `select=${encode(Array.from({ length: number(4) }, () => pick([...columns, ...tables, "*", "profiles(*)"])).join(","))}${operand}`;
    case 1:
      return `order=${pick(columns)}.${pick(["asc", "desc", "nullsfirst", operand])}`;
    case 2:
      return `${pick(["or", "and"])}=(${pick(columns)}.${pick(operators)}.${operand},${operand})`;
    case 3:
      return `${pick(["limit", "offset", "on_conflict", "columns"])}=${operand}`;
    default:
      return `${pick(columns)}=${pick(operators)}.${operand}`;
  }
}

function restRequest(random: Random): [string, RequestOptions] {
  const { pick, number } = random;
  const target =
    number(10) === 0 ? encodeURIComponent(scrap(random).toWellFormed()) : pick([...tables, "rpc/x"]);
  const query = Array.from({ length: number(4) }, () => parameter(random)).join("&");
  const headers: Record<string, string> = {};
  if (number(2) === 0)
    headers["prefer"] = pick([
      "return=representation",
      "resolution=merge-duplicates",
      "count=exact",
      "handling=strict, x",
      "tx=rollback",
      "return=minimal,missing=default",
    ]);
  if (number(6) === 0) headers["range"] = pick(["0-1", "9-", "x", "5-2", "-1"]);
  if (number(6) === 0)
    headers["accept"] = pick([
      "application/vnd.pgrst.object+json",
      "text/csv",
      "*/*;q=0",
      "x",
      "application/vnd.pgrst.plan",
    ]);
  if (number(8) === 0) headers["content-profile"] = pick(["auth", "public", "x"]);
  return [`/rest/v1/${target}?${query}`, { method: pick(methods), headers, body: body(random, columns) }];
}

function authRequest(random: Random): [string, RequestOptions] {
  const { pick, number } = random;
  const path = number(12) === 0 ? encodeURIComponent(scrap(random).toWellFormed()) : pick(authPaths);
  const query =
    number(3) === 0
      ? `${path.includes("?") ? "&" : "?"}${pick(authFields)}=${encodeURIComponent(scrap(random).toWellFormed())}`
      : "";
  const headers: Record<string, string> = {};
  if (number(5) === 0) headers["x-supabase-api-version"] = pick(["2024-01-01", "x", "1999-01-01"]);
  return [`/auth/v1/${path}${query}`, { method: pick(methods), headers, body: body(random, authFields) }];
}

function tokenOf(random: Random, site: DrillSite, author: Author): string {
  return random.pick([
    author.token,
    author.token,
    site.keys.anonKey,
    site.keys.serviceKey,
    `${author.token}x`,
    "x.y.z",
    scrapOfHeader(random),
  ]);
}

function scrapOfHeader(random: Random): string {
  return random.text(20).replace(/[^\x21-\x7e]/g, "");
}

function requestOf(seed: number, site: DrillSite, author: Author): [string, RequestOptions] {
  const random = createRandom(seed);
  const [path, options] = random.number(2) === 0 ? restRequest(random) : authRequest(random);
  const headers: Record<string, string> = {
    "content-type": random.pick([
      "application/json",
      "application/json",
      "application/json",
      "text/plain",
      "multipart/form-data",
    ]),
    ...options.headers,
  };
  if (random.number(12) > 0) headers["apikey"] = site.keys.anonKey;
  if (random.number(2) === 0) headers["authorization"] = `Bearer ${tokenOf(random, site, author)}`;
  if (options.method === "GET" || options.method === "HEAD")
    return [path, { method: options.method, headers }];
  return [path, { ...options, headers }];
}

/**
 * Sends random requests. Counts those that get a server error, no response, or an error response that reveals
 * internals, and describes the first three of each. Each request can be made again from its seed.
 */
export const fuzz: Drill = {
  name: "fuzz",
  title: "random requests to /rest/v1 and /auth/v1 cause no server error and reveal nothing",
  run: (scale) =>
    withSite({}, async (site): Promise<Figure[]> => {
      const count = scale === "long" ? 10_000 : 400;
      const author = await makeAuthor(site);
      const client = createClient(site.url, AT_ONCE);
      const failed: string[] = [];
      const leaks: string[] = [];
      const statuses = new Map<number, number>();
      let next = 0;
      await inParallel(AT_ONCE, async () => {
        const seed = next++;
        if (seed >= count) return false;
        const [path, options] = requestOf(seed, site, author);
        const { status, body: response, headers, failure } = await client.ask(path, options);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const summary = `seed ${seed}: ${options.method} ${path.slice(0, 80)} → ${status || failure}`;
        if (status >= 500 || status === 0) failed.push(summary);
        // A successful response may contain rows that earlier requests wrote, so only errors are checked.
        if (status >= 400 && LEAK.test(`${response} ${JSON.stringify(headers)}`))
          leaks.push(`${summary}: ${response.slice(0, 200)}`);
        return true;
      });
      client.close();
      const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
      return [
        none(
          "0 responses with 5xx",
          failed.length,
          `${count} (${counted.join(", ")}) ${failed.slice(0, 3).join("; ")}`,
        ),
        none(
          "0 responses that reveal SQL, stack traces or paths",
          leaks.length,
          `${count} ${leaks.slice(0, 3).join("; ")}`,
        ),
      ];
    }),
};
