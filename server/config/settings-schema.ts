import { isIP } from "node:net";
import path from "node:path";
import * as v from "valibot";
import { hasDomain } from "./relying-party.ts";
import { singleSignOn, singleSignOnConflict } from "./single-sign-on.ts";
import { type Variables, variables } from "./variables.ts";

const REQUIRED_TOGETHER = [
  ["SUPABASE_PUBLISHABLE_KEY", "SUPABASE_URL"],
  ["SUPABASE_URL", "SUPABASE_PUBLISHABLE_KEY"],
  ["SUPABASE_URL", "SUPABASE_SECRET_KEY"],
  ["SMTP_FROM", "SMTP_HOST"],
  ["SMTP_HOST", "SMTP_PORT"],
  ["SMTP_HOST", "SMTP_USER"],
  ["SMTP_HOST", "SMTP_PASSWORD"],
  ["SMTP_HOST", "SMTP_FROM"],
  ["SMTP_USER", "SMTP_PASSWORD"],
  ["SMTP_HOST", "SMTP_SECURE"],
  ["SMTP_HOST", "SMTP_REQUIRE_TLS"],
] as const;

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
    /** Undefined means `demo` for a new embedded database, and otherwise `none`. */
    seed: values.SEED,
    siteName: values.SITE_NAME,
    siteDomain: values.SITE_DOMAIN,
    /** The origin of canonical addresses and, by default, of links in emails. Has no trailing slash. */
    siteUrl: siteUrl(values),
    siteLogo: values.SITE_LOGO,
    footerLinks: values.FOOTER_LINKS,
    /** How many bytes of pictures each member may store. Has no effect on a Supabase project. */
    picturesPerMember: values.PICTURES_PER_MEMBER,
    redirectUrls: values.AUTH_REDIRECT_URLS,
    /** The origins of pages that may use the API in a browser. `*` allows all. */
    apiOrigins: values.API_ORIGINS,
    authJwtSecret: values.AUTH_JWT_SECRET,
    authLimits: {
      signInsPerAddress: values.AUTH_SIGN_INS_PER_ADDRESS,
      signInsPerEmail: values.AUTH_SIGN_INS_PER_EMAIL,
      mailsPerAddress: values.AUTH_MAILS_PER_ADDRESS,
      mailsPerAddressAndEmail: values.AUTH_MAILS_PER_ADDRESS_AND_EMAIL,
      mailsPerEmail: values.AUTH_MAILS_PER_EMAIL,
    },
    /** Undefined unless the operator has configured a provider. */
    singleSignOn: singleSignOn(values),
    /** False if members can sign in only at the provider. */
    passwordSignIn: values.PASSWORD_SIGN_IN === "on",
    /** Whether `/admin` accepts only sessions that began with a passkey. */
    operatorsNeedPasskey: values.OPERATORS_NEED_PASSKEY === "on",
    trustedProxies: values.TRUST_PROXY,
    /** Undefined means `text` at a terminal, and otherwise `json`. */
    logFormat: values.LOG_FORMAT,
    metricsToken: values.METRICS_TOKEN,
    smtp: mailServer(values),
    /** The texts of emails that replace the site's own. */
    mailTemplates: values.MAIL_TEMPLATES,
    /** Whether readers can report items and people. */
    acceptsReports: values.REPORTS === "on",
    /** True if another program makes the backups. Then `doctor` and the alerts don't expect those of `backup`. */
    hasBackupsElsewhere: values.BACKUPS === "elsewhere",
  })),
);

function conflict(values: Variables): string | undefined {
  const incomplete = REQUIRED_TOGETHER.find(([missing, present]) => values[present] && !values[missing]);
  if (incomplete !== undefined) return `${incomplete[0]} must be set together with ${incomplete[1]}.`;
  const signOnConflict = singleSignOnConflict(values);
  if (signOnConflict !== undefined) return signOnConflict;
  if (values.OPERATORS_NEED_PASSKEY === "on") {
    if (values.PASSWORD_SIGN_IN === "off") {
      return "OPERATORS_NEED_PASSKEY=on cannot be used with PASSWORD_SIGN_IN=off, which disables passkeys: unset one of them.";
    }
    if (!hasDomain(siteUrl(values))) {
      return "OPERATORS_NEED_PASSKEY=on needs a SITE_URL with a domain name or localhost, because passkeys cannot belong to an IP address.";
    }
  }
  if (values.SUPABASE_URL === undefined) return undefined;
  if (values.DATABASE_URL !== undefined) {
    return "DATABASE_URL and SUPABASE_URL cannot both be set: unset one of them.";
  }
  if (values.REPORTS === "on" && values.SUPABASE_SECRET_KEY === undefined) {
    return "REPORTS=on needs SUPABASE_SECRET_KEY, because only the secret key can store reports: set it to the project's secret key.";
  }
  if (values.SEED === "demo") {
    return "SEED=demo cannot be used with SUPABASE_URL: unset one of them.";
  }
  return undefined;
}

function siteUrl({ SITE_URL, HOST, PORT }: Pick<Variables, "SITE_URL" | "HOST" | "PORT">): string {
  return SITE_URL ?? origin(HOST, PORT);
}

function supabaseProject({ SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: key, ...values }: Variables) {
  if (url === undefined || key === undefined) return undefined;
  return { url: url.replace(/\/+$/, ""), publishableKey: key, secretKey: values.SUPABASE_SECRET_KEY };
}

function mailServer(values: Variables) {
  const { SMTP_HOST: host, SMTP_FROM: from, SMTP_PORT: port = 587 } = values;
  if (host === undefined || from === undefined) return undefined;
  const secure = values.SMTP_SECURE === undefined ? port === 465 : values.SMTP_SECURE === "true";
  const { SMTP_USER: user, SMTP_PASSWORD: password, SMTP_REQUIRE_TLS: choice } = values;
  // Between this machine and another one, others could read the password.
  const requireTLS = choice === undefined ? user !== undefined && !isThisMachine(host) : choice === "on";
  return { host, port, from, secure, requireTLS, user, password };
}

export function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.[\d.]+$/.test(host);
}

/** The origin at which a browser on this machine reaches a server that listens on `host` and `port`. */
export function origin(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return new URL(`http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`).origin;
}
