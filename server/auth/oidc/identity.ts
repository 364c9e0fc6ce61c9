import type { IDToken } from "openid-client";
import * as v from "valibot";

/** The provider's statements about a person. People may choose the texts themselves, so they can contain anything. */
export interface Identity {
  issuer: string;
  subject: string;
  email: string;
  isEmailVerified: boolean;
  name: string;
  groups: string[];
}

const TEXT = v.fallback(v.string(), "");
/** OpenID Connect Core §5.1 requires a boolean, but Amazon Cognito, for example, sends the text "true". */
const isTrue = (value: unknown) => value === true || value === "true";
const CLAIMS = v.object({
  email: TEXT,
  email_verified: v.optional(v.unknown()),
  xms_edov: v.optional(v.unknown()),
  name: TEXT,
  given_name: TEXT,
  family_name: TEXT,
  preferred_username: TEXT,
});
type Claims = v.InferOutput<typeof CLAIMS>;
const GROUPS = v.fallback(v.array(v.string()), []);

/** The subject is a key in the database. OpenID Connect Core §2 limits it to 255 ASCII characters. */
const SUBJECT = /^[\x21-\x7e]{1,255}$/;

/** Microsoft Entra ID, also in the clouds for governments and in China. */
const ENTRA = /^https:\/\/(login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn)\//;

/**
 * Providers put claims into the ID token, the response of `userinfo`, or both. The ID token is signed, so it comes first.
 * An address and whether it is verified must be from the same source.
 */
export function readIdentity(idToken: IDToken, userInfo: object): Identity {
  if (!SUBJECT.test(idToken.sub)) throw new Error("The provider's subject identifier is invalid");
  const sources = [idToken, userInfo].map((claims) => v.parse(CLAIMS, claims));
  const addresses = sources
    .filter(({ email }) => email !== "")
    .map((claims) => ({ email: claims.email, isEmailVerified: isVerified(claims, idToken.iss) }));
  const address = addresses.find(({ isEmailVerified }) => isEmailVerified) ?? addresses[0];
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email: address?.email ?? "",
    isEmailVerified: address?.isEmailVerified ?? false,
    name: nameIn(sources),
    groups: v.parse(GROUPS, Reflect.get(userInfo, "groups") ?? idToken["groups"]),
  };
}

/**
 * Entra ID has no `email_verified`. A tenant's administrator can add the optional claim `xms_edov`, which is true if the
 * tenant has proven that it owns the address's domain.
 */
function isVerified({ email_verified, xms_edov }: Claims, issuer: string): boolean {
  const isOwnDomain = isTrue(xms_edov) || xms_edov === 1 || xms_edov === "1";
  return isTrue(email_verified) || (ENTRA.test(issuer) && isOwnDomain);
}

/** Returns the first claim that is a name. An email address must never become a public name. */
function nameIn(sources: Claims[]): string {
  const names = [
    ...sources.map(({ name }) => name),
    ...sources.map(({ given_name, family_name }) => `${given_name} ${family_name}`),
    ...sources.map(({ preferred_username }) => preferred_username),
  ];
  return names.map((name) => name.trim()).find((name) => name !== "" && !/\S@\S/.test(name)) ?? "";
}

/** Returns undefined if the claims don't say and needn't. */
export function readGroups(claims: object | undefined, isSource: boolean): string[] | undefined {
  if (claims === undefined || !(isSource || "groups" in claims)) return undefined;
  return v.parse(GROUPS, Reflect.get(claims, "groups"));
}
