import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./free-port.ts";
import { CLIENT, type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import { createCommunity } from "./members.ts";
import { startServer } from "./server.ts";
import { test as base, type Site } from "./site.ts";

interface WorkerFixtures {
  provider: IdentityProvider;
  site: Site;
  /** The setting PASSWORD_SIGN_IN. */
  passwords: "on" | "off";
}

export const SITE_NAME = "The Northwind Engineering Handbook";
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="60" viewBox="0 0 600 60"/>';

/** Like the shared `test`, but the site has single sign-on at a real OpenID Connect provider, and its own name and logo if `passwords` is off. */
export const test = base.extend<object, WorkerFixtures>({
  passwords: ["on", { option: true, scope: "worker" }],
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      const port = await freePort();
      const redirectUri = `http://127.0.0.1:${port}/auth/v1/callback`;
      const provider = await startIdentityProvider({ redirectUri });
      await use(provider);
      await provider.stop();
    },
    { scope: "worker" },
  ],
  site: [
    async ({ provider, passwords }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "techfolio-logo-"));
      const logo = path.join(folder, "logo.svg");
      await writeFile(logo, LOGO);
      const server = await startServer({
        // A long name moves by a pixel when the fonts of a first visit arrive, which sso.spec.ts would measure.
        ...(passwords === "off" && { SITE_NAME, SITE_LOGO: logo }),
        PORT: new URL(provider.redirectUri).port,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT.clientId,
        OIDC_CLIENT_SECRET: CLIENT.clientSecret,
        OIDC_DOMAINS: "example.com",
        OIDC_NAME: "Example & Sons",
        PASSWORD_SIGN_IN: passwords,
      });
      await use({ ...server, ...createCommunity(server) });
      await server.stop();
      await rm(folder, { recursive: true });
    },
    { scope: "worker", timeout: 60_000 },
  ],
});

export const ADA = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada Marlowe" };
export const BUTTON = "Sign in with Example & Sons";
