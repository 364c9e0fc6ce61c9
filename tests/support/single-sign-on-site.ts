import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./free-port.ts";
import { CLIENT, type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import { openSite, testOwnSite } from "./site.ts";

export const SITE_NAME = "The Northwind Engineering Handbook";
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="60" viewBox="0 0 600 60"/>';

/** The setting PASSWORD_SIGN_IN. */
type Passwords = "on" | "off";

async function openSingleSignOnSite(passwords: Passwords) {
  const PORT = String(await freePort());
  const provider = await startIdentityProvider({ redirectUri: `http://127.0.0.1:${PORT}/auth/v1/callback` });
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-logo-"));
  const logo = path.join(folder, "logo.svg");
  await writeFile(logo, LOGO);
  const site = await openSite({
    // A long name moves by a pixel when the fonts of a first visit arrive, which sso.spec.ts would measure.
    ...(passwords === "off" && { SITE_NAME, SITE_LOGO: logo }),
    PORT,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.clientId,
    OIDC_CLIENT_SECRET: CLIENT.clientSecret,
    OIDC_DOMAINS: "example.com",
    OIDC_NAME: "Example & Sons",
    PASSWORD_SIGN_IN: passwords,
  });
  return {
    ...site,
    provider,
    async stop() {
      await site.stop();
      await provider.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Like `testOwnSite`, for a site with single sign-on at a real OpenID Connect provider, and with its own name and logo if `passwords` is off. */
export function testSingleSignOnSite(passwords: Passwords) {
  return testOwnSite(() => openSingleSignOnSite(passwords)).extend<{ provider: IdentityProvider }>({
    provider: ({ site }, use) => use(site.provider),
  });
}

export const ADA = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada Marlowe" };
export const BUTTON = "Sign in with Example & Sons";
