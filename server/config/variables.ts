import { isIP } from "node:net";
import * as v from "valibot";
import { footerLinks } from "./footer-links.ts";
import { mailTemplates } from "./mail-templates.ts";
import { singleSignOnVariables } from "./single-sign-on.ts";
import { siteLogo } from "./site-logo.ts";

const MIN_SECRET_BYTES = 32;
/**
 * Example secrets from Supabase's CLI, its self-hosting guide and PostgREST's tutorial. They are rejected, because
 * anyone could sign tokens with them.
 */
const KNOWN_SECRETS = [
  "super-secret-jwt-token-with-at-least-32-characters-long",
  "your-super-secret-jwt-token-with-at-least-32-characters-long",
  "reallyreallyreallyreallyverysafe",
];

/** `must` and all other messages here complete a sentence that starts with the variable's name (see settings.ts). */
const text = (test: (value: string) => boolean, must: string) =>
  v.pipe(
    v.string(),
    v.check(test, ({ input }) => `${must}, not "${input}".`),
  );

const optional = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(schema, undefined);

const protocolOf = (value: string) => (URL.canParse(value) ? new URL(value).protocol : "");

const port = v.pipe(
  text(
    (value) => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535,
    "must be a whole number from 1 to 65535",
  ),
  v.transform(Number),
);

const host = text(
  // Reject an IPv6 address with a zone, such as fe80::1%eth0, because a URL's host can't contain a zone.
  (value) =>
    (isIP(value) === 6 && !value.includes("%")) ||
    (/^\w([\w.-]*\w)?$/.test(value) && URL.canParse(`http://${value}`)),
  "must be an IP address or a host name",
);

const sender = text(
  (value) => /^([^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value),
  "must be an email address, or a name and an address such as Name <me@example.com>",
);

const webUrl = v.pipe(
  text((value) => /^https?:$/.test(protocolOf(value)), "must be an http or https address"),
  v.transform((value) => new URL(value).href),
);

/** Error messages omit the value, which may contain a password. */
const databaseUrl = v.pipe(
  v.string(),
  // URLs for a Unix socket may have no host before the path (`postgres://me@/db?host=/…`), but `URL` can't parse a login
  // without a host. Insert `localhost`, which `pg` ignores, because the parameter `host` takes precedence.
  v.transform((value) => value.replace(/^(\w+:\/\/(?:[^/@]*@)?)\//, "$1localhost/")),
  v.check(
    (value) => /^postgres(ql)?:$/.test(protocolOf(value)),
    "must be an address like postgres://user:password@host:5432/database.",
  ),
  // The package `pg` treats `sslmode=require` as `verify-full` unless the URL contains `uselibpqcompat=true`, and
  // `verify-full` rejects certificates that psql accepts (PostgreSQL's manual, "SSL Support").
  v.transform((address) => {
    const { searchParams } = new URL(address);
    const needsParameter = searchParams.has("sslmode") && !searchParams.has("uselibpqcompat");
    return needsParameter ? `${address}&uselibpqcompat=true` : address;
  }),
);

const ORIGIN = /^https?:\/\/[^/?#]+$/i;

/** Origins such as `https://example.com`, separated by commas, or `*`. */
const origins = v.pipe(
  v.string(),
  v.transform((list) => list.split(",").flatMap((item) => item.trim().replace(/\/$/, "") || [])),
  v.check(
    (list) => list.every((item) => item === "*" || (ORIGIN.test(item) && URL.canParse(item))),
    "must be * or a comma-separated list of origins such as https://example.com, without a path.",
  ),
  v.transform((list) => list.map((item) => (item === "*" ? item : new URL(item).origin))),
);

const UNITS = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

/** Converts a size such as `200MB` to bytes. */
const size = v.pipe(
  text((value) => /^\d{1,6}(KB|MB|GB)$/i.test(value), "must be a size like 200MB or 1GB"),
  v.transform(
    (value) => Number.parseInt(value, 10) * UNITS[value.slice(-2).toUpperCase() as keyof typeof UNITS],
  ),
);

const RATE = /^([1-9]\d{0,5})\/([1-9]\d{0,3})([mh])$/;

/** A limit such as `30/5m`: 30 times in 5 minutes. */
const rate = v.pipe(
  text((value) => RATE.test(value), "must be a number and a period in minutes or hours, such as 30/5m"),
  v.transform((value) => {
    const [, count, period, unit] = RATE.exec(value) ?? [];
    return { count: Number(count), minutes: Number(period) * (unit === "h" ? 60 : 1) };
  }),
);

/** Supabase's secret keys start with `sb_secret_`. Older ones are JWTs with the role `service_role`. */
function isSecretKey(key: string): boolean {
  const payload = Buffer.from(key.split(".")[1] ?? "", "base64url").toString();
  return key.startsWith("sb_secret_") || /"role"\s*:\s*"service_role"/.test(payload);
}

export const variables = v.object({
  PORT: v.optional(port, "3000"),
  HOST: v.optional(host, "127.0.0.1"),
  DATA_DIR: v.optional(v.string(), "data"),
  DATABASE_URL: optional(databaseUrl),
  SUPABASE_URL: optional(v.pipe(webUrl, v.regex(/^[^?#]*$/, "must be an address without ? or #."))),
  SUPABASE_PUBLISHABLE_KEY: optional(
    v.pipe(
      v.string(),
      v.check(
        (key) => !isSecretKey(key),
        "is a secret key, which every page would reveal: set the publishable (anon) key.",
      ),
    ),
  ),
  SUPABASE_SECRET_KEY: optional(v.string()),
  SEED: optional(v.picklist(["demo", "none"], ({ input }) => `must be "demo" or "none", not "${input}".`)),
  SITE_NAME: v.optional(v.string(), "Techfolio"),
  SITE_DOMAIN: v.optional(
    v.pipe(
      text((value) => /^[a-z0-9.-]+$/i.test(value), "must be a host name or a part of one"),
      v.toLowerCase(),
    ),
    "techfolio",
  ),
  SITE_URL: optional(
    v.pipe(
      webUrl,
      v.check(
        (value) => value === `${new URL(value).origin}/`,
        ({ input }) => `must have no path, such as https://example.com, but it is "${input}".`,
      ),
      v.transform((value) => new URL(value).origin),
    ),
  ),
  SITE_LOGO: optional(siteLogo),
  FOOTER_LINKS: v.optional(footerLinks, ""),
  PICTURES_PER_MEMBER: v.optional(size, "200MB"),
  AUTH_REDIRECT_URLS: v.optional(
    v.pipe(
      v.string(),
      v.transform((list) => list.split(",").flatMap((url) => url.trim() || [])),
      v.array(webUrl),
    ),
    "",
  ),
  API_ORIGINS: v.optional(origins, ""),
  AUTH_JWT_SECRET: optional(
    v.pipe(
      v.string(),
      v.minBytes(MIN_SECRET_BYTES, `must be at least ${MIN_SECRET_BYTES} bytes long.`),
      v.check(
        (value) => !KNOWN_SECRETS.includes(value),
        "is an example from public documentation: create a secret of your own (openssl rand -base64 32).",
      ),
    ),
  ),
  AUTH_SIGN_INS_PER_ADDRESS: v.optional(rate, "30/5m"),
  AUTH_SIGN_INS_PER_EMAIL: v.optional(rate, "10/15m"),
  AUTH_MAILS_PER_ADDRESS: v.optional(rate, "30/1h"),
  AUTH_MAILS_PER_ADDRESS_AND_EMAIL: v.optional(rate, "5/1h"),
  AUTH_MAILS_PER_EMAIL: v.optional(rate, "20/1h"),
  ...singleSignOnVariables,
  OPERATORS_NEED_PASSKEY: v.optional(
    v.picklist(["on", "off"], ({ input }) => `must be "on" or "off", not "${input}".`),
    "off",
  ),
  TRUST_PROXY: v.optional(
    v.pipe(
      text(
        (value) => /^\d$/.test(value),
        "must be the number of proxies in front of this server, from 0 to 9",
      ),
      v.transform(Number),
    ),
    "0",
  ),
  LOG_FORMAT: optional(
    v.picklist(["text", "json"], ({ input }) => `must be "text" or "json", not "${input}".`),
  ),
  METRICS_TOKEN: optional(
    v.pipe(
      v.string(),
      v.regex(
        /^[\w.~+/-]{16,}=*$/,
        "must be at least 16 characters long and consist of letters, digits, and the characters -._~+/ (with = at the end only).",
      ),
    ),
  ),
  SMTP_HOST: optional(host),
  SMTP_PORT: optional(port),
  SMTP_USER: optional(v.string()),
  SMTP_PASSWORD: optional(v.string()),
  SMTP_FROM: optional(sender),
  SMTP_SECURE: optional(
    v.picklist(["true", "false"], ({ input }) => `must be "true" or "false", not "${input}".`),
  ),
  SMTP_REQUIRE_TLS: optional(
    v.picklist(["on", "off"], ({ input }) => `must be "on" or "off", not "${input}".`),
  ),
  MAIL_TEMPLATES: optional(mailTemplates),
  REPORTS: v.optional(
    v.picklist(["on", "off"], ({ input }) => `must be "on" or "off", not "${input}".`),
    "off",
  ),
  BACKUPS: v.optional(
    v.picklist(["command", "elsewhere"], ({ input }) => `must be "command" or "elsewhere", not "${input}".`),
    "command",
  ),
});

export type Variables = v.InferOutput<typeof variables>;
