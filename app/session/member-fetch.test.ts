import type { GoTrueClient } from "@supabase/auth-js";
import { AuthApiError, AuthRetryableFetchError } from "@supabase/auth-js";
import { afterEach, expect, test, vi } from "vitest";
import { createMemberFetch } from "./member-fetch.ts";

afterEach(() => vi.unstubAllGlobals());

/** Fakes a backend: its status depends on the token. Returns a list that collects the tokens it receives. */
function fakeBackend(statusOf: (token: string) => number): string[] {
  const tokens: string[] = [];
  vi.stubGlobal("fetch", async (_input: unknown, init: RequestInit) => {
    const token = new Headers(init.headers).get("Authorization")?.replace("Bearer ", "") ?? "";
    tokens.push(token);
    return new Response(null, { status: statusOf(token) });
  });
  return tokens;
}

function authClient(session: string | null, renewed: string | Error) {
  const signOut = vi.fn(async () => ({ error: null }));
  const sessionOf = (token: string | null) => ({ session: token ? { access_token: token } : null });
  const client = {
    getSession: async () => ({ data: sessionOf(session), error: null }),
    refreshSession: async () =>
      typeof renewed === "string"
        ? { data: sessionOf(renewed), error: null }
        : { data: sessionOf(null), error: renewed },
    signOut,
  };
  return { client: client as unknown as GoTrueClient, signOut };
}

test("a request is sent with the member's token", async () => {
  const tokens = fakeBackend(() => 200);
  const { client } = authClient("mine", "unused");
  await createMemberFetch(client, "public")("https://backend.test/rest/v1/skills");
  expect(tokens).toEqual(["mine"]);
});

test("a request without a session is sent with the public key, and a 401 is returned without a retry or a sign-out", async () => {
  const tokens = fakeBackend(() => 401);
  const { client, signOut } = authClient(null, "unused");
  const response = await createMemberFetch(client, "public")("https://backend.test/rest/v1/skills");
  expect([response.status, tokens]).toEqual([401, ["public"]]);
  expect(signOut).not.toHaveBeenCalled();
});

test("a request with an expired token is retried with a refreshed token, and the member stays signed in", async () => {
  const tokens = fakeBackend((token) => (token === "new" ? 201 : 401));
  const { client, signOut } = authClient("old", "new");
  const response = await createMemberFetch(client, "public")("https://backend.test/rest/v1/skills");
  expect([response.status, tokens]).toEqual([201, ["old", "new"]]);
  expect(signOut).not.toHaveBeenCalled();
});

test("if the server rejects the token refresh, the member is signed out in this browser, and the 401 is returned", async () => {
  fakeBackend(() => 401);
  const { client, signOut } = authClient(
    "old",
    new AuthApiError("Session not found", 400, "session_not_found"),
  );
  const response = await createMemberFetch(client, "public")("https://backend.test/rest/v1/skills");
  expect(response.status).toBe(401);
  expect(signOut).toHaveBeenCalledWith({ scope: "local" });
});

test("a member stays signed in if the token refresh gets no response", async () => {
  fakeBackend(() => 401);
  const { client, signOut } = authClient("old", new AuthRetryableFetchError("Failed to fetch", 0));
  await createMemberFetch(client, "public")("https://backend.test/rest/v1/skills");
  expect(signOut).not.toHaveBeenCalled();
});

test("aborting the caller's signal aborts the request", async () => {
  let signal: AbortSignal | undefined;
  vi.stubGlobal("fetch", async (_input: unknown, init: RequestInit) => {
    signal = init.signal ?? undefined;
    return new Response();
  });
  const abort = new AbortController();
  const { client } = authClient("mine", "unused");
  await createMemberFetch(client, "public")("https://backend.test/", { signal: abort.signal });
  expect(signal?.aborted).toBe(false);
  abort.abort();
  expect(signal?.aborted).toBe(true);
});
