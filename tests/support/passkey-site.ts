import type { CDPSession, Page } from "@playwright/test";
import { freePort } from "./free-port.ts";
import { createCommunity } from "./members.ts";
import { startServer } from "./server.ts";
import { test as base, type Site } from "./site.ts";

/** Like the shared `test`, but the site is at localhost, because passkeys can't belong to an IP address. */
export const test = base.extend<object, { site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      const PORT = String(await freePort());
      const url = `http://localhost:${PORT}`;
      const server = await startServer({ PORT, SITE_URL: url, OPERATORS_NEED_PASSKEY: "on" });
      await use({ ...server, ...createCommunity(server), url });
      await server.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
});

interface AuthenticatorOptions {
  hasResidentKey?: boolean;
  hasUserVerification?: boolean;
  isUserVerified?: boolean;
  transport?: "internal" | "usb";
}

/** Chromium's virtual authenticators, instead of the ones of this machine. */
export async function virtualAuthenticators(page: Page) {
  const devtools: CDPSession = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  return {
    async add(options: AuthenticatorOptions = {}) {
      const { hasResidentKey = true, hasUserVerification = true, isUserVerified = true } = options;
      const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
        options: {
          protocol: "ctap2",
          transport: options.transport ?? "internal",
          hasResidentKey,
          hasUserVerification,
          isUserVerified,
          automaticPresenceSimulation: true,
        },
      });
      return {
        setVerified: (verified: boolean) =>
          devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: verified }),
        remove: () => devtools.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId }),
        clear: () => devtools.send("WebAuthn.clearCredentials", { authenticatorId }),
      };
    },
  };
}
