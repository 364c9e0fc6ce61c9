import type { CDPSession, Page } from "@playwright/test";
import { freePort } from "./free-port.ts";
import { openSite, type Site } from "./site.ts";

/** Opens a site at localhost, because passkeys can't belong to an IP address. */
export async function openPasskeySite(): Promise<Site> {
  const PORT = String(await freePort());
  const url = `http://localhost:${PORT}`;
  return { ...(await openSite({ PORT, SITE_URL: url, OPERATORS_NEED_PASSKEY: "on" })), url };
}

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
