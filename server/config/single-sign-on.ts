import { domainToASCII } from "node:url";
import * as v from "valibot";

const optional = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(schema, undefined);

/** The package openid-client also allows http, but only this machine can be trusted without TLS. */
function isSecure({ protocol, hostname }: URL): boolean {
  return (
    protocol === "https:" || (protocol === "http:" && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
  );
}

const issuer = v.pipe(
  v.string(),
  v.check(
    (value) => {
      if (!URL.canParse(value)) return false;
      const url = new URL(value);
      return isSecure(url) && url.username === "" && /^[^?#]*$/.test(value);
    },
    ({ input }) => `must be an https address without ? or # (http only on this machine), not "${input}".`,
  ),
);

const list = v.pipe(
  v.string(),
  v.transform((value) => value.split(",").flatMap((part) => part.trim() || [])),
  v.minLength(1, "must contain at least one value."),
);

const domains = v.pipe(
  list,
  v.array(
    v.pipe(
      v.string(),
      v.check(
        (domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(domainToASCII(domain)),
        ({ input }) => `must be email domains like example.com, separated by commas, not "${input}".`,
      ),
      v.transform((domain) => domainToASCII(domain).toLowerCase()),
    ),
  ),
);

/** The variables for single sign-on with a provider that supports OpenID Connect. */
export const singleSignOnVariables = {
  OIDC_ISSUER: optional(issuer),
  OIDC_CLIENT_ID: optional(v.string()),
  OIDC_CLIENT_SECRET: optional(v.string()),
  OIDC_DOMAINS: optional(domains),
  OIDC_NAME: optional(v.pipe(v.string(), v.maxLength(50, "must have at most 50 characters."))),
  OIDC_OPERATORS: optional(list),
  PASSWORD_SIGN_IN: v.optional(
    v.picklist(["on", "off"], ({ input }) => `must be "on" or "off", not "${input}".`),
    "on",
  ),
};

const REQUIRED = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_DOMAINS"] as const;

export type SingleSignOnVariables = v.InferOutput<v.ObjectSchema<typeof singleSignOnVariables, undefined>>;

/** Returns a sentence for the operator if the settings don't fit together. */
export function singleSignOnConflict(
  values: SingleSignOnVariables & { SUPABASE_URL?: string | undefined },
): string | undefined {
  const { OIDC_NAME, OIDC_OPERATORS, PASSWORD_SIGN_IN, SUPABASE_URL } = values;
  const missing = REQUIRED.filter((name) => values[name] === undefined);
  const isWanted =
    missing.length < REQUIRED.length || OIDC_NAME !== undefined || OIDC_OPERATORS !== undefined;
  if (SUPABASE_URL !== undefined && (isWanted || PASSWORD_SIGN_IN === "off")) {
    return "OIDC_* and PASSWORD_SIGN_IN=off cannot be used with SUPABASE_URL: configure sign-in in the Supabase project.";
  }
  if (missing.length === 0) return undefined;
  const names = new Intl.ListFormat("en").format(missing);
  if (isWanted) return `Single sign-on is incomplete: set ${names} too, or unset all OIDC_* settings.`;
  if (PASSWORD_SIGN_IN === "on") return undefined;
  return `With PASSWORD_SIGN_IN=off, no member could sign in: set ${names} too.`;
}

export type SingleSignOn = NonNullable<ReturnType<typeof singleSignOn>>;

export function singleSignOn(values: SingleSignOnVariables) {
  const {
    OIDC_ISSUER: address,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_DOMAINS,
  } = values;
  if (!address || !clientId || !clientSecret || !OIDC_DOMAINS) return undefined;
  return {
    issuer: new URL(address),
    clientId,
    clientSecret,
    /** In lower case, and in ASCII (`xn--…`). */
    domains: OIDC_DOMAINS,
    name: values.OIDC_NAME ?? new URL(address).host,
    /** Values of the claim `groups` that make a member an operator. If undefined, the provider never changes roles. */
    operatorGroups: values.OIDC_OPERATORS,
  };
}
