import { randomBytes } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, describe, expect, test } from "vitest";
import { createStorage, SITE, startTestAuth, type TestAuth } from "../support/auth.ts";
import {
  CLIENT,
  type ProviderPerson,
  startIdentityProvider,
  visitProvider,
} from "../support/identity-provider.ts";

const CALLBACK = `${SITE}/auth/v1/callback`;
const provider = await startIdentityProvider({ redirectUri: CALLBACK });
const singleSignOn = {
  ...CLIENT,
  issuer: new URL(provider.issuer),
  domains: ["example.com"],
  name: "Example",
  operatorGroups: undefined,
};
const auth = await startTestAuth({ singleSignOn, redirectUrls: ["https://app.example/welcome"] });
afterAll(async () => {
  await auth.stop();
  await provider.stop();
});

function newPerson(claims: Partial<ProviderPerson> = {}): ProviderPerson {
  const name = randomBytes(6).toString("hex");
  return { sub: name, email: `${name}@example.com`, email_verified: true, name: `Ada ${name}`, ...claims };
}

/** Requests the address without following its redirect, which is where a browser would go. */
async function redirectOf(address: string, site: TestAuth = auth): Promise<string> {
  const path = address.slice(`${SITE}/auth/v1/`.length);
  const response = await site.request(path, { headers: { apikey: "" } });
  expect(response.status).toBe(302);
  return response.headers.get("location") ?? "";
}

async function startFlow(client: SupabaseClient, redirectTo?: string): Promise<string> {
  const options = { skipBrowserRedirect: true, ...(redirectTo && { redirectTo }) };
  const { data } = await client.auth.signInWithOAuth({ provider: "oidc" as "google", options });
  return data.url ?? "";
}

/** Signs the person in at the provider, and returns the page to which the site then sends the browser. */
async function arrive(
  person: ProviderPerson | undefined,
  client: SupabaseClient = auth.client(),
  site: TestAuth = auth,
): Promise<URL> {
  provider.setPerson(person);
  const atProvider = await redirectOf(await startFlow(client), site);
  return new URL(await redirectOf(await visitProvider(atProvider, CALLBACK), site));
}

async function signIn(person: ProviderPerson, site: TestAuth = auth) {
  const client = site.client();
  const page = await arrive(person, client, site);
  const code = page.searchParams.get("code");
  expect(code, page.href).toBeTruthy();
  const { data, error } = await client.auth.exchangeCodeForSession(code ?? "");
  if (error) throw error;
  return { client, session: data.session, user: data.user };
}

describe("an unmodified auth-js", () => {
  test("creates a confirmed member with the provider's name", async () => {
    const person = newPerson();
    const { client, user } = await signIn(person);
    expect(user).toMatchObject({
      email: person.email,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: "oidc", providers: ["oidc"] },
      user_metadata: { full_name: person.name },
    });
    const { data } = await client.from("profiles").select("full_name").eq("id", user.id).single();
    expect(data?.full_name).toBe(person.name);
    expect((await client.auth.getUser()).data.user?.identities).toMatchObject([{ provider: "oidc" }]);
  });
});
