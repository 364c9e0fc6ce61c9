import { randomBytes } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect } from "vitest";
import { SITE, type TestAuth } from "./auth.ts";
import { CLIENT, type IdentityProvider, type ProviderPerson, visitProvider } from "./identity-provider.ts";

export const CALLBACK = `${SITE}/auth/v1/callback`;

/** The settings of single sign-on at a provider. People at example.com can have an account. */
export const settingsOf = ({ issuer }: { issuer: string }) => ({
  ...CLIENT,
  issuer: new URL(issuer),
  domains: ["example.com"],
  name: "Example",
  operatorGroups: undefined,
});

export function newPerson(claims: Partial<ProviderPerson> = {}): ProviderPerson {
  const name = randomBytes(6).toString("hex");
  return { sub: name, email: `${name}@example.com`, email_verified: true, name: `Ada ${name}`, ...claims };
}

/** Returns the address at which an unmodified auth-js starts a sign-in. */
export async function startFlow(client: SupabaseClient, redirectTo?: string): Promise<string> {
  const options = { skipBrowserRedirect: true, ...(redirectTo && { redirectTo }) };
  const { data } = await client.auth.signInWithOAuth({ provider: "oidc" as "google", options });
  return data.url ?? "";
}

/** Requests an address of the site, and returns the address that the site redirects to. */
export async function redirectOf(site: TestAuth, address: string): Promise<string> {
  const path = address.slice(`${SITE}/auth/v1/`.length);
  const response = await site.request(path, { headers: { apikey: "" } });
  expect(response.status).toBe(302);
  return response.headers.get("location") ?? "";
}

/** The error parameters of a page, which are the same in its query and in its fragment. */
export function errorOf(page: URL): Record<string, string> {
  const fragment = new URLSearchParams(page.hash.slice(1));
  for (const [name, value] of fragment) expect(page.searchParams.get(name)).toBe(value);
  return Object.fromEntries(fragment);
}

/** Sign-ins of people at a real provider, as browsers make them. */
export function createVisits(site: TestAuth, provider: IdentityProvider) {
  /** Signs the person in at the provider, and returns the address of the site's callback. */
  async function callbackOf(
    person: ProviderPerson | undefined,
    client: SupabaseClient,
    redirectTo?: string,
  ): Promise<URL> {
    provider.setPerson(person);
    const start = await redirectOf(site, await startFlow(client, redirectTo));
    return new URL(await visitProvider(start, CALLBACK));
  }

  /** Signs in at the provider, and returns the address that the site then redirects to. */
  async function arrive(
    person: ProviderPerson | undefined,
    client = site.client(),
    redirectTo?: string,
  ): Promise<URL> {
    const callback = await callbackOf(person, client, redirectTo);
    return new URL(await redirectOf(site, callback.href));
  }

  async function signIn(person: ProviderPerson) {
    const client = site.client();
    const page = await arrive(person, client);
    const code = page.searchParams.get("code");
    expect(code, page.href).toBeTruthy();
    const { data, error } = await client.auth.exchangeCodeForSession(code ?? "");
    if (error) throw error;
    return { client, session: data.session, user: data.user };
  }

  return { callbackOf, arrive, signIn };
}
