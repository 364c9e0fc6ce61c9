import { expect, test } from "vitest";
import { readIdentity } from "./identity.ts";

const ISSUER = "https://id.example.com";
const TENANT = "https://login.microsoftonline.com/7b2f5a9e-4f1d-4f0e-9d53-0d3a4c1b2e6f/v2.0";
const BASE = { iss: ISSUER, sub: "7", aud: "techfolio", iat: 1, exp: 2 };
const ADA = { email: "ada@example.com", isEmailVerified: true, name: "Ada Marlowe", groups: [] as string[] };

interface Example {
  idToken: Record<string, unknown>;
  userInfo?: Record<string, unknown>;
  identity?: Partial<typeof ADA>;
}

// The claims that each provider's documentation describes for the scopes openid, email and profile.
const PROVIDERS: Record<string, Example> = {
  Keycloak: {
    idToken: {
      email: "ada@example.com",
      email_verified: true,
      name: "Ada Marlowe",
      preferred_username: "ada",
      given_name: "Ada",
      family_name: "Marlowe",
      sid: "0b1c",
      groups: ["editors"],
    },
    userInfo: { sub: "7", email: "ada@example.com", email_verified: true, groups: ["editors"] },
    identity: { groups: ["editors"] },
  },
  Authentik: {
    idToken: {
      email: "ada@example.com",
      email_verified: true,
      name: "Ada Marlowe",
      given_name: "Ada Marlowe",
      preferred_username: "ada",
      groups: ["editors"],
    },
    identity: { groups: ["editors"] },
  },
  "Authelia, with claims in userinfo only": {
    idToken: { amr: ["pwd"], azp: "techfolio" },
    userInfo: {
      sub: "7",
      email: "ada@example.com",
      email_verified: true,
      name: "Ada Marlowe",
      preferred_username: "ada",
    },
  },
  "Entra ID, with the optional claims email and xms_edov": {
    idToken: {
      iss: TENANT,
      email: "ada@example.com",
      xms_edov: "1",
      name: "Ada Marlowe",
      preferred_username: "ada@example.com",
      oid: "1",
      tid: "2",
    },
    userInfo: { sub: "7", name: "Ada Marlowe", family_name: "Marlowe", given_name: "Ada", picture: "x" },
  },
  "Entra ID, without the optional claim": {
    idToken: { iss: TENANT, email: "ada@example.com", name: "Ada Marlowe", xms_edov: false },
    identity: { isEmailVerified: false },
  },
  "Okta, with a short ID token": {
    idToken: { email: "ada@example.com", name: "Ada Marlowe", preferred_username: "ada@example.com" },
    userInfo: {
      sub: "7",
      email: "ada@example.com",
      email_verified: true,
      name: "Ada Marlowe",
      preferred_username: "ada@example.com",
      zoneinfo: "America/Los_Angeles",
    },
  },
  "Auth0, whose name is the address of people with a password": {
    idToken: {
      email: "ada@example.com",
      email_verified: true,
      name: "ada@example.com",
      nickname: "ada",
      picture: "x",
    },
    identity: { name: "" },
  },
  "Amazon Cognito, with a text in userinfo": {
    idToken: { "cognito:username": "7" },
    userInfo: {
      sub: "7",
      email: "ada@example.com",
      email_verified: "true",
      given_name: "Ada",
      family_name: "Marlowe",
      username: "7",
    },
  },
  Google: {
    idToken: {
      email: "ada@example.com",
      email_verified: true,
      name: "Ada Marlowe",
      picture: "x",
      hd: "example.com",
    },
  },
  GitLab: {
    idToken: { sub_legacy: "a", auth_time: 1 },
    userInfo: {
      sub: "7",
      email: "ada@example.com",
      email_verified: true,
      name: "Ada Marlowe",
      preferred_username: "ada",
      groups: ["example/editors"],
    },
    identity: { groups: ["example/editors"] },
  },
  "Dex, with GitHub": {
    idToken: {
      email: "ada@example.com",
      email_verified: true,
      name: "Ada Marlowe",
      preferred_username: "ada",
      federated_claims: { connector_id: "github" },
    },
  },
};

test.each(Object.entries(PROVIDERS))(
  "%s names the person and their address",
  (_, { idToken, userInfo, identity }) => {
    expect(readIdentity({ ...BASE, ...idToken }, userInfo ?? {})).toMatchObject({ ...ADA, ...identity });
  },
);

test.each<[string, Record<string, unknown>, Record<string, unknown>, object]>([
  [
    "an address is verified only by its own source",
    { email: "ada@example.com" },
    { email_verified: true },
    { email: "ada@example.com", isEmailVerified: false },
  ],
  [
    "a verified address of userinfo replaces an unverified one of the ID token",
    { email: "ada@example.com", email_verified: false },
    { email: "a.marlowe@example.com", email_verified: true },
    { email: "a.marlowe@example.com", isEmailVerified: true },
  ],
  [
    "the signed address comes first",
    { email: "ada@example.com", email_verified: true },
    { email: "eve@example.com", email_verified: true },
    { email: "ada@example.com" },
  ],
  [
    "only Entra ID vouches for domains",
    { email: "ada@example.com", xms_edov: true },
    {},
    { isEmailVerified: false },
  ],
  [
    "another site's address in the path isn't Entra ID's",
    { iss: "https://evil.test/https://login.microsoftonline.com/", email: "ada@example.com", xms_edov: true },
    {},
    { isEmailVerified: false },
  ],
  [
    "other words are not true",
    { email: "ada@example.com", email_verified: "yes" },
    {},
    { isEmailVerified: false },
  ],
])("%s", (_, idToken, userInfo, identity) => {
  expect(readIdentity({ ...BASE, ...idToken }, userInfo)).toMatchObject(identity);
});

test.each<[Record<string, unknown>, string]>([
  [{ name: "Ada", given_name: "Augusta" }, "Ada"],
  [{ name: " ", given_name: "Ada", family_name: "Marlowe" }, "Ada Marlowe"],
  [{ family_name: "Marlowe" }, "Marlowe"],
  [{ preferred_username: "ada.m" }, "ada.m"],
  [{ name: "ada@example.com", preferred_username: "ada.m" }, "ada.m"],
  [{ name: "Ada (ada@example.com)", given_name: "ada@example.com" }, ""],
  [{ preferred_username: "ada@example.com" }, ""],
  [{ name: ["Ada"], given_name: 7 }, ""],
  [{}, ""],
])("the claims %j give the name %j, never an email address", (claims, name) => {
  expect(readIdentity({ ...BASE, ...claims }, {}).name).toBe(name);
  expect(readIdentity(BASE, claims).name).toBe(name);
});

test.each(["", "a b", "ä", "a\n", "x".repeat(256)])(
  "the subject %j is rejected, because it is a key in the database",
  (sub) => {
    expect(() => readIdentity({ ...BASE, sub }, {})).toThrow("The provider's subject identifier is invalid");
  },
);

test("a subject of 255 characters is accepted, and a person without an address has no verified one", () => {
  const sub = "x".repeat(255);
  expect(readIdentity({ ...BASE, sub }, {})).toEqual({
    issuer: ISSUER,
    subject: sub,
    email: "",
    isEmailVerified: false,
    name: "",
    groups: [],
  });
});

test.each([
  [TENANT, true, true],
  [TENANT, "true", true],
  [TENANT, 1, true],
  [TENANT, "1", true],
  [TENANT, "0", false],
  [TENANT, undefined, false],
  [ISSUER, true, false],
])("from %s, xms_edov=%j makes an address verified: %s", (iss, xms_edov, isEmailVerified) => {
  const idToken = { ...BASE, iss, email: "ada@example.com", xms_edov };
  expect(readIdentity(idToken as never, {})).toMatchObject({ email: "ada@example.com", isEmailVerified });
});
