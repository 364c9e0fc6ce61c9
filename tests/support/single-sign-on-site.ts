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

/** Like the shared `test`, but the site has single sign-on at a real OpenID Connect provider. */
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
      const server = await startServer({
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
    },
    { scope: "worker", timeout: 60_000 },
  ],
});

export const ADA = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada Marlowe" };
export const BUTTON = "Sign in with Example & Sons";
