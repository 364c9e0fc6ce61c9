import path from "node:path";
import * as v from "valibot";
import { footerLinks } from "./footer-links.ts";
import {
  databaseUrl,
  domain,
  host,
  isSecretKey,
  jwtSecret,
  metricsToken,
  optional,
  port,
  siteUrl,
  webUrl,
} from "./setting-values.ts";
import { siteLogo } from "./site-logo.ts";

const REQUIRED_TOGETHER = [
  ["SUPABASE_PUBLISHABLE_KEY", "SUPABASE_URL"],
  ["SMTP_FROM", "SMTP_HOST"],
  ["SMTP_HOST", "SMTP_PORT"],
  ["SMTP_HOST", "SMTP_USER"],
  ["SMTP_HOST", "SMTP_PASSWORD"],
  ["SMTP_HOST", "SMTP_FROM"],
  ["SMTP_HOST", "SMTP_SECURE"],
] as const;

const variables = v.object({
  PORT: v.optional(port("PORT"), "3000"),
  HOST: v.optional(host, "127.0.0.1"),
  DATA_DIR: v.optional(v.string(), "data"),
  DATABASE_URL: optional(databaseUrl),
  SUPABASE_URL: optional(webUrl("SUPABASE_URL")),
  SUPABASE_PUBLISHABLE_KEY: optional(
    v.pipe(
      v.string(),
      v.check(
        (key) => !isSecretKey(key),
        "SUPABASE_PUBLISHABLE_KEY holds a secret key, and every page would show it: set the publishable (anon) key.",
      ),
    ),
  ),
  SUPABASE_SECRET_KEY: optional(v.string()),
  SEED: optional(
    v.picklist(["demo", "none"], ({ input }) => `SEED must be "demo" or "none", not "${input}".`),
  ),
  SITE_NAME: v.optional(v.string(), "Techfolio"),
  SITE_DOMAIN: v.optional(domain, "techfolio"),
  SITE_URL: optional(siteUrl),
  SITE_LOGO: optional(siteLogo),
  FOOTER_LINKS: v.optional(footerLinks, ""),
  AUTH_REDIRECT_URLS: v.optional(
    v.pipe(
      v.string(),
      v.transform((list) => list.split(",").flatMap((url) => url.trim() || [])),
      v.array(webUrl("AUTH_REDIRECT_URLS")),
    ),
    "",
  ),
  AUTH_JWT_SECRET: optional(jwtSecret),
  TRUST_PROXY: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^\d$/,
        ({ input }) =>
          `TRUST_PROXY must be the number of proxies in front of this server, 0 to 9, not "${input}".`,
      ),
      v.transform(Number),
    ),
    "0",
  ),
  METRICS_TOKEN: optional(metricsToken),
  SMTP_HOST: optional(v.string()),
  SMTP_PORT: optional(port("SMTP_PORT")),
  SMTP_USER: optional(v.string()),
  SMTP_PASSWORD: optional(v.string()),
  SMTP_FROM: optional(v.string()),
  SMTP_SECURE: optional(
    v.picklist(["true", "false"], ({ input }) => `SMTP_SECURE must be "true" or "false", not "${input}".`),
  ),
});

type Variables = v.InferOutput<typeof variables>;

/** From environment variables, trimmed and without empty ones, to settings. Each message is one whole sentence. */
export const settingsSchema = v.pipe(
  variables,
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? conflict(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  }),
  v.transform((values) => ({
    port: values.PORT,
    host: values.HOST,
    dataDir: path.resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    supabase: supabaseProject(values),
    /** Undefined: `demo` when the embedded database is new. */
    seed: values.SEED,
    siteName: values.SITE_NAME,
    siteDomain: values.SITE_DOMAIN,
    siteUrl: values.SITE_URL,
    siteLogo: values.SITE_LOGO,
    footerLinks: values.FOOTER_LINKS,
    /** Where mails may lead besides the site itself. */
    redirectUrls: values.AUTH_REDIRECT_URLS,
    authJwtSecret: values.AUTH_JWT_SECRET,
    /** How many proxies stand in front and write the client's address into X-Forwarded-For. */
    trustedProxies: values.TRUST_PROXY,
    metricsToken: values.METRICS_TOKEN,
    smtp: mailServer(values),
  })),
);

function conflict(values: Variables): string | undefined {
  const lone = REQUIRED_TOGETHER.find(([missing, given]) => values[given] && !values[missing]);
  if (lone !== undefined) return `${lone[0]} must be set together with ${lone[1]}.`;
  if (values.SUPABASE_URL === undefined) return undefined;
  if (values.DATABASE_URL !== undefined) {
    return "DATABASE_URL and SUPABASE_URL exclude each other: unset one of them.";
  }
  if (values.SEED === "demo") {
    return "SEED=demo has no database to load into while SUPABASE_URL is set: unset one of them.";
  }
  return undefined;
}

function supabaseProject({ SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: key, ...values }: Variables) {
  if (url === undefined || key === undefined) return undefined;
  return { url: url.replace(/\/+$/, ""), publishableKey: key, secretKey: values.SUPABASE_SECRET_KEY };
}

function mailServer(values: Variables) {
  const { SMTP_HOST: host, SMTP_FROM: from, SMTP_PORT: port = 587 } = values;
  if (host === undefined || from === undefined) return undefined;
  const secure = values.SMTP_SECURE === undefined ? port === 465 : values.SMTP_SECURE === "true";
  return { host, port, from, secure, user: values.SMTP_USER, password: values.SMTP_PASSWORD };
}
