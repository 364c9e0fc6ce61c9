import type { GoTrueClient } from "@supabase/auth-js";
import { AuthApiError, AuthRetryableFetchError } from "@supabase/auth-js";
import { afterEach, expect, test, vi } from "vitest";
import { createMemberFetch } from "./member-fetch.ts";

afterEach(() => vi.unstubAllGlobals());

/** Stands in for the service: answers by token, and keeps the tokens that it was asked with. */
function service(statusOf: (token: string) => number): string[] {
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

test("carries the member's token", async () => {
  const tokens = service(() => 200);
  const { client } = authClient("mine", "unused");
  await createMemberFetch(client, "public")("https://backend.test/rest/v1/skills");
  expect(tokens).toEqual(["mine"]);
});

test("carries the public key without a session, and takes a refusal as it is", async () => {
  const tokens = service(() => 401);
  const { client, signOut } = authClient(null, "unused");
  const answer = await createMemberFetch(client, "public")("https://backend.test/rest/v1/skills");
  expect([answer.status, tokens]).toEqual([401, ["public"]]);
  expect(signOut).not.toHaveBeenCalled();
});

test("asks once more with a renewed token", async () => {
  const tokens = service((token) => (token === "new" ? 201 : 401));
  const { client, signOut } = authClient("old", "new");
  const answer = await createMemberFetch(client, "public")("https://backend.test/rest/v1/skills");
  expect([answer.status, tokens]).toEqual([201, ["old", "new"]]);
  expect(signOut).not.toHaveBeenCalled();
});

test("signs out where the renewal is refused", async () => {
  service(() => 401);
  const { client, signOut } = authClient(
    "old",
    new AuthApiError("Session not found", 400, "session_not_found"),
  );
  const answer = await createMemberFetch(client, "public")("https://backend.test/rest/v1/skills");
  expect(answer.status).toBe(401);
  expect(signOut).toHaveBeenCalledWith({ scope: "local" });
});

test("stays signed in where the renewal is not answered", async () => {
  service(() => 401);
  const { client, signOut } = authClient("old", new AuthRetryableFetchError("Failed to fetch", 0));
  await createMemberFetch(client, "public")("https://backend.test/rest/v1/skills");
  expect(signOut).not.toHaveBeenCalled();
});

test("ends a request that its caller gives up", async () => {
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
