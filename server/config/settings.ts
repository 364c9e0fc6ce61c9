import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import { parseEnv } from "node:util";

type Environment = Record<string, string | undefined>;

/** How this server is set up. `.env.example` tells what each variable means. */
export interface Settings {
  port: number;
  host: string;
  /** Absolute. */
  dataDir: string;
  databaseUrl: string | undefined;
  supabase: { url: string; publishableKey: string; secretKey: string | undefined } | undefined;
  /** Undefined: `demo` when the embedded database is new. */
  seed: "demo" | "none" | undefined;
  siteName: string;
  siteDomain: string;
  /** Origin of canonical addresses and of links in mails; no trailing slash. */
  siteUrl: string;
  /** Where mails may lead besides the site itself. */
  redirectUrls: string[];
  authJwtSecret: string | undefined;
  /** How many proxies stand before this server and write the client's address into X-Forwarded-For. */
  trustedProxies: number;
  /** What opens `/metrics`; without one it is open to programs on this machine alone. */
  metricsToken: string | undefined;
  smtp:
    | {
        host: string;
        port: number;
        user: string | undefined;
        password: string | undefined;
        from: string;
        secure: boolean;
      }
    | undefined;
}

/** A setting that makes no sense, as one sentence that names the variable. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** Returns the environment, completed from the file `.env` in the working directory where there is one. */
export function readEnvironment(file = ".env"): Environment {
  let written = "";
  try {
    written = readFileSync(file, "utf8");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) {
      throw new SettingsError(`The settings in ${path.resolve(file)} cannot be read: ${String(error)}.`);
    }
  }
  return { ...parseEnv(written), ...process.env };
}

/** Takes an environment, returns the settings (contract, 'Running it'). Throws SettingsError. */
export function readSettings(environment: Environment): Settings {
  // An empty variable counts as absent: compose files and `.env` write it so.
  const env = (name: string) => environment[name]?.trim() || undefined;
  const host = readHost(env("HOST") ?? "127.0.0.1");
  const port = readPort("PORT", env("PORT") ?? "3000");
  const databaseUrl = readDatabaseUrl("DATABASE_URL", env("DATABASE_URL"));
  const supabase = readSupabase(env);
  const seed = readSeed(env("SEED"));
  if (supabase !== undefined && databaseUrl !== undefined) {
    throw new SettingsError("DATABASE_URL and SUPABASE_URL exclude each other: unset one of them.");
  }
  if (supabase !== undefined && seed === "demo") {
    throw new SettingsError(
      "SEED=demo has no database to load into while SUPABASE_URL is set: unset one of them.",
    );
  }
  return {
    port,
    host,
    dataDir: path.resolve(env("DATA_DIR") ?? "data"),
    databaseUrl,
    supabase,
    seed,
    siteName: env("SITE_NAME") ?? "Techfolio",
    siteDomain: readDomain(env("SITE_DOMAIN") ?? "techfolio"),
    siteUrl: readSiteUrl(env("SITE_URL")) ?? origin(host, port),
    redirectUrls: readRedirectUrls(env("AUTH_REDIRECT_URLS")),
    authJwtSecret: readJwtSecret(env("AUTH_JWT_SECRET")),
    trustedProxies: readTrustedProxies(env("TRUST_PROXY") ?? "0"),
    metricsToken: readMetricsToken(env("METRICS_TOKEN")),
    smtp: readSmtp(env),
  };
}

/** Takes where the server listens, returns the address under which a browser on this machine reaches it. */
export function origin(host: string, port: number): string {
  // The wildcard addresses are for listening, not for calling.
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return new URL(`http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`).origin;
}

function readPort(variable: string, value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new SettingsError(`${variable} must be a whole number from 1 to 65535, not "${value}".`);
}

function readHost(value: string): string {
  const isName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) && URL.canParse(`http://${value}`);
  if (isIP(value) !== 0 || isName) return value;
  throw new SettingsError(`HOST must be an IP address or a host name, not "${value}".`);
}

function readDomain(value: string): string {
  if (/^[a-z0-9.-]+$/i.test(value)) return value.toLowerCase();
  throw new SettingsError(`SITE_DOMAIN must be (a part of) a host name, not "${value}".`);
}

function readSeed(value: string | undefined): "demo" | "none" | undefined {
  if (value === undefined || value === "demo" || value === "none") return value;
  throw new SettingsError(`SEED must be "demo" or "none", not "${value}".`);
}

// The value may carry a password and is not repeated.
function readDatabaseUrl(variable: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  // libpq leaves the host out where a Unix socket follows as `?host=/…`; a URL with a login needs one.
  const address = value.replace(/^(\w+:\/\/(?:[^/@]*@)?)\//, "$1localhost/");
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && /^postgres(ql)?:$/.test(url.protocol)) return withLibpqModes(address, url);
  throw new SettingsError(`${variable} must be an address like postgres://user:password@host:5432/database.`);
}

/** pg reads `sslmode` in a way of its own unless told to mean by it what PostgreSQL's manual says ('SSL Support'). */
function withLibpqModes(address: string, { searchParams }: URL): string {
  if (!searchParams.has("sslmode") || searchParams.has("uselibpqcompat")) return address;
  return `${address}&uselibpqcompat=true`;
}

function readWebUrl(variable: string, value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new SettingsError(`${variable} must be an http or https address, not "${value}".`);
}

function readSiteUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = readWebUrl("SITE_URL", value);
  if (url.href === `${url.origin}/`) return url.origin;
  throw new SettingsError(`SITE_URL must be like https://example.com, without a path, not "${value}".`);
}

function readRedirectUrls(value: string | undefined): string[] {
  const parts = value?.split(",").map((part) => part.trim()) ?? [];
  return parts.filter((part) => part !== "").map((part) => readWebUrl("AUTH_REDIRECT_URLS", part).href);
}

function readJwtSecret(value: string | undefined): string | undefined {
  if (value === undefined || Buffer.byteLength(value) >= 32) return value;
  throw new SettingsError("AUTH_JWT_SECRET must be at least 32 bytes long.");
}

function readMetricsToken(value: string | undefined): string | undefined {
  if (value === undefined || /^[\w.~+/-]{16,}=*$/.test(value)) return value;
  throw new SettingsError(
    "METRICS_TOKEN must be at least 16 letters, digits or signs of -._~+/ (a bearer token).",
  );
}

function readTrustedProxies(value: string): number {
  if (/^\d$/.test(value)) return Number(value);
  throw new SettingsError(
    `TRUST_PROXY must be the number of proxies in front of this server, 0 to 9, not "${value}".`,
  );
}

function readSupabase(env: (name: string) => string | undefined): Settings["supabase"] {
  const url = env("SUPABASE_URL");
  const publishableKey = env("SUPABASE_PUBLISHABLE_KEY");
  if (url === undefined) return undefined;
  if (publishableKey === undefined) {
    throw new SettingsError("SUPABASE_PUBLISHABLE_KEY must be set together with SUPABASE_URL.");
  }
  if (isSecretKey(publishableKey)) {
    throw new SettingsError(
      "SUPABASE_PUBLISHABLE_KEY holds a secret key, and every page would show it: set the publishable (anon) key.",
    );
  }
  return {
    url: readWebUrl("SUPABASE_URL", url).href.replace(/\/+$/, ""),
    publishableKey,
    secretKey: env("SUPABASE_SECRET_KEY"),
  };
}

/** Supabase's secret keys are `sb_secret_…`, or tokens with the role `service_role`. */
function isSecretKey(key: string): boolean {
  const payload = Buffer.from(key.split(".")[1] ?? "", "base64url").toString();
  return key.startsWith("sb_secret_") || /"role"\s*:\s*"service_role"/.test(payload);
}

function readSmtp(env: (name: string) => string | undefined): Settings["smtp"] {
  const host = env("SMTP_HOST");
  if (host === undefined) {
    const orphan = ["SMTP_PORT", "SMTP_USER", "SMTP_PASSWORD", "SMTP_FROM", "SMTP_SECURE"].find(env);
    if (orphan === undefined) return undefined;
    throw new SettingsError(`SMTP_HOST must be set together with ${orphan}.`);
  }
  const from = env("SMTP_FROM");
  if (from === undefined) throw new SettingsError("SMTP_FROM must be set together with SMTP_HOST.");
  const port = readPort("SMTP_PORT", env("SMTP_PORT") ?? "587");
  const secure = env("SMTP_SECURE") ?? String(port === 465);
  if (secure !== "true" && secure !== "false") {
    throw new SettingsError(`SMTP_SECURE must be "true" or "false", not "${secure}".`);
  }
  const user = env("SMTP_USER");
  const password = env("SMTP_PASSWORD");
  return { host, port, user, password, from, secure: secure === "true" };
}
