import { isIP } from "node:net";

/** The site as authenticators know it (WebAuthn Level 3, §4, "Relying Party"). */
export interface RelyingParty {
  /** The host name that passkeys belong to. */
  id: string;
  origin: string;
}

/** Whether passkeys can belong to the site. WebAuthn requires a host name: an IP address can't be a relying party. */
export function hasDomain(siteUrl: string): boolean {
  return isIP(new URL(siteUrl).hostname.replace(/^\[|\]$/g, "")) === 0;
}

/** Returns undefined if the site has no passkeys (contract, "Passkeys"). */
export function relyingParty(settings: {
  siteUrl: string;
  passwordSignIn: boolean;
}): RelyingParty | undefined {
  const { siteUrl, passwordSignIn } = settings;
  if (!passwordSignIn || !hasDomain(siteUrl)) return undefined;
  return { id: new URL(siteUrl).hostname, origin: siteUrl };
}
