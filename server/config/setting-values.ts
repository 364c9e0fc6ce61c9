import { isIP } from "node:net";
import * as v from "valibot";

const LEAST_SECRET_BYTES = 32;

// Everybody knows these: they stand in Supabase's CLI, in the .env.example of its self-hosting guide, and in PostgREST's tutorial.
const EXAMPLE_SECRETS = new Set([
  "super-secret-jwt-token-with-at-least-32-characters-long",
  "your-super-secret-jwt-token-with-at-least-32-characters-long",
  "your-super-secret-and-long-postgres-password",
  "your-super-secret-and-long-logflare-key",
  "your-super-secret-and-long-logflare-key-public",
  "your-super-secret-and-long-logflare-key-private",
  "this_password_is_insecure_and_should_be_updated",
  "your-encryption-key-32-chars-min",
  "your-32-character-encryption-key",
  "UpNVntn3cDxHJpq99YMc1T1AQgQpc8kfYTuRgBiYa15BLrx8etQoXz3gZv1/u2oq",
  "reallyreallyreallyreallyverysafe",
]);

/** Keeps `undefined` in the output type of an absent variable. */
export function optional<Schema extends v.GenericSchema>(schema: Schema) {
  return v.optional(schema, undefined);
}

export function port(variable: string) {
  return v.pipe(
    v.string(),
    v.check(
      (value) => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535,
      ({ input }) => `${variable} must be a whole number from 1 to 65535, not "${input}".`,
    ),
    v.transform(Number),
  );
}

export const host = v.pipe(
  v.string(),
  v.check(
    (value) =>
      isIP(value) !== 0 ||
      (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) && URL.canParse(`http://${value}`)),
    ({ input }) => `HOST must be an IP address or a host name, not "${input}".`,
  ),
);

export const domain = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9.-]+$/i, ({ input }) => `SITE_DOMAIN must be (a part of) a host name, not "${input}".`),
  v.toLowerCase(),
);

export function webUrl(variable: string) {
  return v.pipe(
    v.string(),
    v.check(
      (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ""),
      ({ input }) => `${variable} must be an http or https address, not "${input}".`,
    ),
    v.transform((value) => new URL(value).href),
  );
}

export const siteUrl = v.pipe(
  webUrl("SITE_URL"),
  v.check(
    (value) => value === `${new URL(value).origin}/`,
    ({ input }) => `SITE_URL must be like https://example.com, without a path, not "${input}".`,
  ),
  v.transform((value) => new URL(value).origin),
);

/** The value may hold a password and is not repeated. */
export const databaseUrl = v.pipe(
  v.string(),
  // libpq leaves the host out where a Unix socket follows as `?host=/…`; a URL with a login needs one.
  v.transform((value) => value.replace(/^(\w+:\/\/(?:[^/@]*@)?)\//, "$1localhost/")),
  v.check(
    (value) => /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? ""),
    "DATABASE_URL must be an address like postgres://user:password@host:5432/database.",
  ),
  v.transform(withLibpqModes),
);

/** pg reads `sslmode` in its own way unless told to follow PostgreSQL's manual ('SSL Support'). */
function withLibpqModes(address: string): string {
  const { searchParams } = new URL(address);
  if (!searchParams.has("sslmode") || searchParams.has("uselibpqcompat")) return address;
  return `${address}&uselibpqcompat=true`;
}

export const jwtSecret = v.pipe(
  v.string(),
  v.check(
    (value) => Buffer.byteLength(value) >= LEAST_SECRET_BYTES,
    `AUTH_JWT_SECRET must be at least ${LEAST_SECRET_BYTES} bytes long.`,
  ),
  v.check(
    (value) => !EXAMPLE_SECRETS.has(value),
    "AUTH_JWT_SECRET is an example from public documentation that everybody knows: set one of your own (openssl rand -base64 32).",
  ),
);

export const metricsToken = v.pipe(
  v.string(),
  v.regex(
    /^[\w.~+/-]{16,}=*$/,
    "METRICS_TOKEN must be at least 16 letters, digits or signs of -._~+/ (a bearer token).",
  ),
);

/** Supabase's secret keys are `sb_secret_…`, or tokens with the role `service_role`. */
export function isSecretKey(key: string): boolean {
  const payload = Buffer.from(key.split(".")[1] ?? "", "base64url").toString();
  return key.startsWith("sb_secret_") || /"role"\s*:\s*"service_role"/.test(payload);
}
