import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { OperatorError } from "./operator-error.ts";
import { readSettings } from "./settings.ts";
import { origin } from "./settings-schema.ts";

test("unset settings have the documented defaults", () => {
  expect(readSettings({})).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    dataDir: `${process.cwd()}/data`,
    databaseUrl: undefined,
    supabase: undefined,
    seed: undefined,
    siteName: "Techfolio",
    siteDomain: "techfolio",
    siteUrl: "http://127.0.0.1:3000",
    picturesPerMember: 200 * 1024 * 1024,
    redirectUrls: [],
    apiOrigins: [],
    authJwtSecret: undefined,
    authLimits: {
      signInsPerAddress: { count: 30, minutes: 5 },
      signInsPerEmail: { count: 10, minutes: 15 },
      mailsPerAddress: { count: 30, minutes: 60 },
      mailsPerAddressAndEmail: { count: 5, minutes: 60 },
      mailsPerEmail: { count: 20, minutes: 60 },
    },
    singleSignOn: undefined,
    passwordSignIn: true,
    operatorsNeedPasskey: false,
    trustedProxies: 0,
    metricsToken: undefined,
    footerLinks: [],
    siteLogo: undefined,
    smtp: undefined,
    mailTemplates: undefined,
    acceptsReports: false,
  });
});

test("an empty environment variable counts as unset", () => {
  expect(readSettings({ PORT: "", DATABASE_URL: " ", SEED: "" })).toEqual(readSettings({}));
});

test("blanks around a value don't belong to it", () => {
  expect(readSettings({ SITE_NAME: " Devs ", PORT: " 80 " })).toMatchObject({ siteName: "Devs", port: 80 });
});

test("BACKUPS=elsewhere means that nothing expects the backups of the command", () => {
  expect(readSettings({}).hasBackupsElsewhere).toBe(false);
  expect(readSettings({ BACKUPS: "elsewhere" }).hasBackupsElsewhere).toBe(true);
});

test("settings are read from environment variables and normalized", () => {
  const settings = readSettings({
    PORT: "8080",
    HOST: "::1",
    DATA_DIR: "/srv/techfolio",
    DATABASE_URL: "postgres://me:secret@db.example:5432/techfolio",
    SEED: "none",
    SITE_NAME: "Devs of Kigali",
    SITE_DOMAIN: "Kigali.Example",
    SITE_URL: "https://kigali.example/",
    PICTURES_PER_MEMBER: "1gb",
    AUTH_REDIRECT_URLS: "https://a.example/x, https://b.example",
    API_ORIGINS: "https://Blog.example/, http://localhost:8000,https://c.example:443",
    AUTH_JWT_SECRET: "0123456789abcdef0123456789abcdef",
    METRICS_TOKEN: "a-token-of-23-characters",
    SMTP_HOST: "mail.example",
    SMTP_PORT: "465",
    SMTP_FROM: "Devs <devs@kigali.example>",
  });
  expect(settings).toMatchObject({
    port: 8080,
    host: "::1",
    dataDir: "/srv/techfolio",
    databaseUrl: "postgres://me:secret@db.example:5432/techfolio",
    seed: "none",
    siteName: "Devs of Kigali",
    siteDomain: "kigali.example",
    siteUrl: "https://kigali.example",
    picturesPerMember: 1024 ** 3,
    redirectUrls: ["https://a.example/x", "https://b.example/"],
    apiOrigins: ["https://blog.example", "http://localhost:8000", "https://c.example"],
    authJwtSecret: "0123456789abcdef0123456789abcdef",
    metricsToken: "a-token-of-23-characters",
    smtp: { host: "mail.example", port: 465, secure: true, from: "Devs <devs@kigali.example>" },
  });
});

test.each(["200", "-1MB", "1.5GB", "MB", "200 TB"])("PICTURES_PER_MEMBER=%s is rejected", (value) => {
  expect(() => readSettings({ PICTURES_PER_MEMBER: value })).toThrow(
    `PICTURES_PER_MEMBER must be a size like 200MB or 1GB, not "${value}".`,
  );
});

test("DATABASE_URL can name a Unix socket instead of a host", () => {
  const read = (url: string) => readSettings({ DATABASE_URL: url }).databaseUrl;
  expect(read("postgres:///techfolio?host=/run/postgresql")).toBe(
    "postgres://localhost/techfolio?host=/run/postgresql",
  );
  expect(read("postgresql://me@/techfolio?host=/run/postgresql")).toBe(
    "postgresql://me@localhost/techfolio?host=/run/postgresql",
  );
});

test("a DATABASE_URL with sslmode gets uselibpqcompat=true, unless it already has that parameter", () => {
  const read = (url: string) => readSettings({ DATABASE_URL: url }).databaseUrl;
  expect(read("postgres://me@db.example/x?sslmode=require")).toBe(
    "postgres://me@db.example/x?sslmode=require&uselibpqcompat=true",
  );
  expect(read("postgres://me@db.example/x?sslmode=require&uselibpqcompat=false")).toBe(
    "postgres://me@db.example/x?sslmode=require&uselibpqcompat=false",
  );
});

test("SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY select a Supabase project", () => {
  const project = { SUPABASE_URL: "https://x.supabase.co//", SUPABASE_PUBLISHABLE_KEY: "sb_publishable_x" };
  expect(readSettings(project).supabase).toEqual({
    url: "https://x.supabase.co",
    publishableKey: "sb_publishable_x",
    secretKey: undefined,
  });
});

test.each(["devs@kigali.example", "Devs <devs@kigali.example>", '"Devs, Kigali" <devs@kigali.example>'])(
  "%s is accepted as SMTP_FROM, and mail_server as SMTP_HOST",
  (SMTP_FROM) => {
    const { smtp } = readSettings({ SMTP_HOST: "mail_server", SMTP_FROM });
    expect(smtp).toMatchObject({ host: "mail_server", from: SMTP_FROM });
  },
);

test("the printed URL shows a wildcard HOST as localhost and an IPv6 HOST in brackets", () => {
  expect(origin("0.0.0.0", 3000)).toBe("http://localhost:3000");
  expect(origin("::", 80)).toBe("http://localhost");
  expect(origin("::1", 3000)).toBe("http://[::1]:3000");
});

const mail = { SMTP_HOST: "mail.example", SMTP_FROM: "a@b.example" };
const account = { SMTP_USER: "me", SMTP_PASSWORD: "secret" };

test.each([
  ["another machine without an account", mail, false],
  ["another machine with an account", { ...mail, ...account }, true],
  ["localhost", { ...mail, ...account, SMTP_HOST: "localhost" }, false],
  ["127.0.0.53", { ...mail, ...account, SMTP_HOST: "127.0.0.53" }, false],
  ["::1", { ...mail, ...account, SMTP_HOST: "::1" }, false],
  [
    "a host whose name begins like an address of this machine",
    { ...mail, ...account, SMTP_HOST: "127.evil.test" },
    true,
  ],
  ["another machine if the operator says so", { ...mail, SMTP_REQUIRE_TLS: "on" }, true],
  ["an account if the operator says so", { ...mail, ...account, SMTP_REQUIRE_TLS: "off" }, false],
])("whether TLS is required for emails to %s", (_, environment: Record<string, string>, isRequired) => {
  expect(readSettings(environment).smtp?.requireTLS).toBe(isRequired);
});

test("emails go to port 587 without TLS from the start, to 465 with it, and otherwise as the operator says", () => {
  const smtp = (more: Record<string, string>) => readSettings({ ...mail, ...more }).smtp;
  expect(smtp({})).toMatchObject({ port: 587, secure: false, user: undefined });
  expect(smtp({ SMTP_PORT: "465", SMTP_SECURE: "false" })).toMatchObject({ port: 465, secure: false });
  expect(smtp({ SMTP_PORT: "2525", SMTP_SECURE: "true", ...account })).toMatchObject({
    port: 2525,
    secure: true,
    user: "me",
    password: "secret",
  });
});

const serviceToken = `e30.${Buffer.from('{"role":"service_role"}').toString("base64url")}.x`;
const project = { SUPABASE_URL: "https://x.supabase.co", SUPABASE_PUBLISHABLE_KEY: "key" };

test.each([
  ["PORT", { PORT: "eighty" }],
  ["PORT", { PORT: "0" }],
  ["PORT", { PORT: "65536" }],
  ["PORT", { PORT: "-1" }],
  ["PORT", { PORT: "80.5" }],
  ["HOST", { HOST: "not a host" }],
  ["HOST", { HOST: "http://localhost" }],
  ["HOST", { HOST: "300.1.1.1" }],
  ["HOST", { HOST: "fe80::1%lo" }],
  ["DATABASE_URL", { DATABASE_URL: "mysql://localhost/x" }],
  ["DATABASE_URL", { DATABASE_URL: "techfolio" }],
  ["SUPABASE_URL", { ...project, SUPABASE_URL: "x.supabase.co" }],
  ["SUPABASE_URL", { ...project, DATABASE_URL: "postgres://localhost/x" }],
  ["SUPABASE_URL", { ...project, SEED: "demo" }],
  ["SUPABASE_URL", { ...project, SUPABASE_URL: "https://x.supabase.co?a=1" }],
  ["SUPABASE_URL", { ...project, SUPABASE_URL: "https://x.supabase.co/#a" }],
  ["SUPABASE_URL", { SUPABASE_PUBLISHABLE_KEY: "key" }],
  ["SUPABASE_URL", { SUPABASE_SECRET_KEY: "key" }],
  ["SUPABASE_PUBLISHABLE_KEY", { SUPABASE_URL: "https://x.supabase.co" }],
  ["SUPABASE_PUBLISHABLE_KEY", { ...project, SUPABASE_PUBLISHABLE_KEY: "sb_secret_x" }],
  ["SUPABASE_PUBLISHABLE_KEY", { ...project, SUPABASE_PUBLISHABLE_KEY: serviceToken }],
  ["SEED", { SEED: "yes" }],
  ["SITE_DOMAIN", { SITE_DOMAIN: "https://techfolio.com" }],
  ["SITE_URL", { SITE_URL: "techfolio.com" }],
  ["SITE_URL", { SITE_URL: "https://techfolio.com/site" }],
  ["AUTH_REDIRECT_URLS", { AUTH_REDIRECT_URLS: "https://a.example,javascript:alert(1)" }],
  ["API_ORIGINS", { API_ORIGINS: "blog.example" }],
  ["API_ORIGINS", { API_ORIGINS: "https://a.example,null" }],
  ["API_ORIGINS", { API_ORIGINS: "https://a.example/blog" }],
  ["API_ORIGINS", { API_ORIGINS: "https://*.example/x" }],
  ["AUTH_JWT_SECRET", { AUTH_JWT_SECRET: "too short" }],
  ["FOOTER_LINKS", { FOOTER_LINKS: "Imprint" }],
  ["FOOTER_LINKS", { FOOTER_LINKS: "=/imprint" }],
  ["FOOTER_LINKS", { FOOTER_LINKS: "Imprint=" }],
  ["FOOTER_LINKS", { FOOTER_LINKS: "Imprint=imprint.html" }],
  ["FOOTER_LINKS", { FOOTER_LINKS: "Imprint=/imprint; Privacy=javascript:alert(1)" }],
  ["FOOTER_LINKS", { FOOTER_LINKS: "Imprint=data:text/html,x" }],
  ["FOOTER_LINKS", { FOOTER_LINKS: "Imprint=xhttps://example.com" }],
  ["FOOTER_LINKS", { FOOTER_LINKS: "Imprint=httpsx://example.com" }],
  ["FOOTER_LINKS", { FOOTER_LINKS: "Imprint=//elsewhere.example" }],
  ["FOOTER_LINKS", { FOOTER_LINKS: "Imprint=/\\elsewhere.example" }],
  ["FOOTER_LINKS", { FOOTER_LINKS: "Imprint=/\telsewhere.example" }],
  ["SITE_LOGO", { SITE_LOGO: "/nowhere/logo.svg" }],
  ["SITE_LOGO", { SITE_LOGO: "/etc/hostname" }],
  ["MAIL_TEMPLATES", { MAIL_TEMPLATES: "/etc/hostname" }],
  ["TRUST_PROXY", { TRUST_PROXY: "true" }],
  ["METRICS_TOKEN", { METRICS_TOKEN: "too short" }],
  ["METRICS_TOKEN", { METRICS_TOKEN: "long enough but with spaces" }],
  ["SMTP_HOST", { SMTP_USER: "me" }],
  ["SMTP_FROM", { SMTP_HOST: "mail.example" }],
  ["SMTP_USER", { SMTP_HOST: "mail.example", SMTP_FROM: "a@b.example", SMTP_PASSWORD: "x" }],
  ["SMTP_PORT", { SMTP_HOST: "mail.example", SMTP_FROM: "a@b.example", SMTP_PORT: "mail" }],
  ["SMTP_HOST", { SMTP_HOST: "smtp://mail.example", SMTP_FROM: "a@b.example" }],
  ["SMTP_FROM", { SMTP_HOST: "mail.example", SMTP_FROM: "nonsense" }],
  ["SMTP_FROM", { SMTP_HOST: "mail.example", SMTP_FROM: "Devs <>" }],
  ["SMTP_FROM", { SMTP_HOST: "mail.example", SMTP_FROM: "Devs a@b.example" }],
  ["SMTP_REQUIRE_TLS", { SMTP_HOST: "mail.example", SMTP_FROM: "a@b.example", SMTP_REQUIRE_TLS: "yes" }],
  ["BACKUPS", { BACKUPS: "on" }],
  ["SMTP_SECURE", { SMTP_HOST: "mail.example", SMTP_FROM: "a@b.example", SMTP_SECURE: "yes" }],
])(
  "a missing, invalid or conflicting %s is reported in a one-line error that names it",
  (variable, environment: Record<string, string>) => {
    const read = () => readSettings(environment);
    expect(read).toThrow(OperatorError);
    expect(read).toThrow(new RegExp(`^(?=[^\\n]*\\b${variable}\\b)[^\\n]+\\.$`));
  },
);

test("FOOTER_LINKS is split into names and URLs, in order", () => {
  const FOOTER_LINKS =
    " Imprint = https://example.com/imprint?a=b ;Privacy=/privacy; Mail=mailto:me@example.com; Old=http://old.example;";
  expect(readSettings({ FOOTER_LINKS }).footerLinks).toEqual([
    { name: "Imprint", href: "https://example.com/imprint?a=b" },
    { name: "Privacy", href: "/privacy" },
    { name: "Mail", href: "mailto:me@example.com" },
    { name: "Old", href: "http://old.example" },
  ]);
});

describe("the setting SITE_LOGO", () => {
  function logo(name: string, bytes: number): string {
    const folder = mkdtempSync(path.join(tmpdir(), "techfolio-logo-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, name);
    writeFileSync(file, Buffer.alloc(bytes));
    return file;
  }

  test.each([
    ["logo.svg", "image/svg+xml"],
    ["logo.PNG", "image/png"],
    ["logo.webp", "image/webp"],
  ])("the file %s of 200 kB is accepted as SITE_LOGO", (name, contentType) => {
    const file = logo(name, 200_000);
    expect(readSettings({ SITE_LOGO: file }).siteLogo).toEqual({
      address: expect.stringMatching(/^\/logo-[\w-]{8}$/),
      bytes: readFileSync(file),
      contentType,
    });
  });

  test("a SITE_LOGO that is too large, empty, a folder or of an unsupported type is rejected with a one-line error that names the setting", () => {
    const rejection = /^SITE_LOGO [^\n]+\.$/;
    expect(() => readSettings({ SITE_LOGO: logo("logo.svg", 200_001) })).toThrow(rejection);
    expect(() => readSettings({ SITE_LOGO: logo("logo.svg", 0) })).toThrow(rejection);
    expect(() => readSettings({ SITE_LOGO: logo("logo.gif", 1) })).toThrow(rejection);
    const folder = path.join(path.dirname(logo("logo.png", 1)), "folder.svg");
    mkdirSync(folder);
    expect(() => readSettings({ SITE_LOGO: folder })).toThrow(rejection);
  });
});

test.each([
  "super-secret-jwt-token-with-at-least-32-characters-long",
  "your-super-secret-jwt-token-with-at-least-32-characters-long",
  "reallyreallyreallyreallyverysafe",
])("the example secret %s from public documentation is rejected as AUTH_JWT_SECRET", (secret) => {
  expect(() => readSettings({ AUTH_JWT_SECRET: secret })).toThrow(/^AUTH_JWT_SECRET is an example [^\n]+\.$/);
});

test("error messages about DATABASE_URL and AUTH_JWT_SECRET do not contain their values", () => {
  expect(() => readSettings({ DATABASE_URL: "mysql://me:hunter2@localhost/x" })).not.toThrow(/hunter2/);
  expect(() => readSettings({ AUTH_JWT_SECRET: "hunter2" })).not.toThrow(/hunter2/);
});

describe("single sign-on", () => {
  const OIDC = {
    OIDC_ISSUER: "https://id.example.com/realms/main",
    OIDC_CLIENT_ID: "techfolio",
    OIDC_CLIENT_SECRET: "secret",
    OIDC_DOMAINS: "Example.com, bücher.example, mail.example.co.uk",
  };

  test("is enabled by four settings, and named after the issuer's host", () => {
    expect(readSettings(OIDC).singleSignOn).toEqual({
      issuer: new URL(OIDC.OIDC_ISSUER),
      clientId: "techfolio",
      clientSecret: "secret",
      domains: ["example.com", "xn--bcher-kva.example", "mail.example.co.uk"],
      name: "id.example.com",
      operatorGroups: undefined,
    });
    const more = {
      ...OIDC,
      OIDC_NAME: "Example",
      OIDC_OPERATORS: "editors, Site Admins",
      PASSWORD_SIGN_IN: "off",
    };
    expect(readSettings(more)).toMatchObject({
      singleSignOn: { name: "Example", operatorGroups: ["editors", "Site Admins"] },
      passwordSignIn: false,
    });
  });

  test.each([
    [["OIDC_ISSUER"], "OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, and OIDC_DOMAINS"],
    [["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"], "OIDC_DOMAINS"],
    [["OIDC_CLIENT_SECRET", "OIDC_DOMAINS"], "OIDC_ISSUER and OIDC_CLIENT_ID"],
  ] as const)("with only %j, the error names the missing settings %s", (given, missing) => {
    const some = Object.fromEntries(given.map((name) => [name, OIDC[name]]));
    expect(() => readSettings(some)).toThrow(`set ${missing} too`);
  });

  test.each([{ OIDC_NAME: "Example" }, { OIDC_OPERATORS: "editors" }, { PASSWORD_SIGN_IN: "off" }])(
    "is incomplete with only %j",
    (given) => {
      expect(() => readSettings(given)).toThrow(
        "set OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, and OIDC_DOMAINS too",
      );
    },
  );

  test.each([
    "http://id.example.com",
    "http://127.0.0.1.evil.test",
    "http://localhost.evil.test",
    "http://evil-localhost",
    "ftp://localhost",
    "ftp://id.example.com",
    "https://id.example.com/?realm=main",
    "https://id.example.com/#main",
    "https://me@id.example.com",
    "id.example.com",
  ])("rejects the issuer %s", (address) => {
    expect(() => readSettings({ ...OIDC, OIDC_ISSUER: address })).toThrow(
      "OIDC_ISSUER must be an https address",
    );
  });

  test.each([
    "http://127.0.0.1:5556",
    "http://127.10.200.30:81",
    "http://localhost:8080/realms/main",
    "http://[::1]:9",
  ])("accepts the issuer %s on this machine", (address) => {
    expect(readSettings({ ...OIDC, OIDC_ISSUER: address }).singleSignOn?.issuer.href).toContain(address);
  });

  test.each([
    "*",
    "example",
    "@example.com",
    "a@example.com",
    ",",
    "example.com;example.org",
    "*.example.com",
  ])("rejects the domain %s", (domain) => {
    expect(() => readSettings({ ...OIDC, OIDC_DOMAINS: domain })).toThrow("OIDC_DOMAINS must");
  });

  test("can't be combined with a Supabase project", () => {
    const project = {
      SUPABASE_URL: "https://x.supabase.co",
      SUPABASE_PUBLISHABLE_KEY: "sb_publishable_x",
    };
    expect(() => readSettings({ ...OIDC, ...project })).toThrow("cannot be used with SUPABASE_URL");
    expect(() => readSettings({ ...project, PASSWORD_SIGN_IN: "off" })).toThrow(
      "cannot be used with SUPABASE_URL",
    );
  });
});

describe("REPORTS", () => {
  test("turns reports on, and needs the secret key of a Supabase project", () => {
    const project = { SUPABASE_URL: "https://x.supabase.co", SUPABASE_PUBLISHABLE_KEY: "key" };
    expect(readSettings({ REPORTS: "on" }).acceptsReports).toBe(true);
    expect(() => readSettings({ REPORTS: "on", ...project })).toThrow("needs SUPABASE_SECRET_KEY");
    expect(readSettings({ REPORTS: "on", ...project, SUPABASE_SECRET_KEY: "s" }).acceptsReports).toBe(true);
  });

  test("rejects values other than on and off", () => {
    expect(() => readSettings({ REPORTS: "yes" })).toThrow('must be "on" or "off"');
  });
});

describe("OPERATORS_NEED_PASSKEY", () => {
  test.each(["https://example.com", "http://localhost:3000"])("can be on at %s", (SITE_URL) => {
    expect(readSettings({ OPERATORS_NEED_PASSKEY: "on", SITE_URL }).operatorsNeedPasskey).toBe(true);
  });

  test.each([{}, { SITE_URL: "https://192.0.2.1" }, { HOST: "::1" }])("cannot be on with %j", (address) => {
    expect(() => readSettings({ OPERATORS_NEED_PASSKEY: "on", ...address })).toThrow(
      "needs a SITE_URL with a domain name or localhost",
    );
  });

  test("must be on or off, and cannot be on without passwords, because passkeys are then disabled", () => {
    expect(() => readSettings({ OPERATORS_NEED_PASSKEY: "yes" })).toThrow('must be "on" or "off"');
    const withoutPasswords = {
      OIDC_ISSUER: "https://id.example.com",
      OIDC_CLIENT_ID: "techfolio",
      OIDC_CLIENT_SECRET: "secret",
      OIDC_DOMAINS: "example.com",
      PASSWORD_SIGN_IN: "off",
      SITE_URL: "https://example.com",
    };
    expect(() => readSettings({ ...withoutPasswords, OPERATORS_NEED_PASSKEY: "on" })).toThrow(
      "cannot be used with PASSWORD_SIGN_IN=off",
    );
  });
});
