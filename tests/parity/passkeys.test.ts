// Compares the built-in backend's responses about passkeys with those of Supabase Auth itself, with the same unmodified
// client and the same software authenticator. `passkey-responses.json` contains Supabase Auth's responses. To compare the
// file with Supabase Auth, set SUPABASE_AUTH to the folder of its source code, with the program `auth` that
// `go build -o auth` creates there. With WRITE_PASSKEY_RESPONSES=1, the test writes the file.
import { randomBytes, randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { SITE, startTestAuth } from "../support/auth.ts";
import {
  createAuthenticator,
  registerPasskey,
  type SignInLies,
  signInWithPasskey,
} from "../support/authenticator.ts";
import { startSupabaseAuth } from "../support/supabase-auth.ts";

const FILE = path.join(import.meta.dirname, "passkey-responses.json");
const { SUPABASE_AUTH, WRITE_PASSKEY_RESPONSES } = process.env;

const readReference = async (): Promise<Record<string, unknown>> => JSON.parse(await readFile(FILE, "utf8"));

interface Reference {
  client(): SupabaseClient;
  service: SupabaseClient;
}

interface Answer {
  data?: unknown;
  error: { status?: number | undefined; code?: string | undefined; message: string } | null;
}

/** The responses of the built-in backend that differ on purpose (decision 038). */
const DIFFERENCES: Record<string, unknown> = {
  "options for a registration: user verification": "required",
  "options for a sign-in: user verification": "required",
  "a registration without user verification":
    "400 webauthn_verification_failed: Credential verification failed",
  "a sign-in without user verification": "400 webauthn_verification_failed: Credential verification failed",
  "a sign-in with a counter that doesn't increase":
    "400 webauthn_verification_failed: Credential verification failed",
  "a registration of another account's passkey":
    "422 webauthn_credential_exists: This credential is already registered",
  "a sign-in of a suspended member": "403 user_banned: This account is suspended",
};

/** Replaces values by their types, because ids and times differ. */
function fieldsOf(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(fieldsOf);
  if (typeof data !== "object" || data === null) return typeof data;
  const entries = Object.entries(data).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries.sort().map(([name, value]) => [name, fieldsOf(value)]));
}

function describe({ data, error }: Answer): unknown {
  if (!error) return fieldsOf(data);
  const message = error.message.replace(/ until .*/, "");
  return `${error.status} ${error.code}: ${message}`;
}

async function respond({ client: newClient, service }: Reference): Promise<Record<string, unknown>> {
  const responses: Record<string, unknown> = {};
  const note = (name: string, answer: Answer) => {
    responses[name] = describe(answer);
  };

  async function signedIn() {
    const account = { email: `${randomUUID()}@example.com`, password: randomBytes(12).toString("hex") };
    const { data, error } = await service.auth.admin.createUser({ ...account, email_confirm: true });
    if (error) throw error;
    const client = newClient();
    await client.auth.signInWithPassword(account);
    return { id: data.user.id, client };
  }

  const { id: userId, client } = await signedIn();
  const { passkey } = client.auth;
  const authenticator = createAuthenticator(SITE);
  const signIn = async (lies: SignInLies = {}, visitor = newClient()) =>
    (await signInWithPasskey(visitor, authenticator, lies)) as Answer;

  const registration = await passkey.startRegistration();
  const creation = registration.data?.options as never as Record<string, never>;
  responses["options for a registration: fields"] = Object.keys(registration.data ?? {}).sort();
  responses["options for a registration: relying party"] = creation["rp"];
  responses["options for a registration: user verification"] =
    creation["authenticatorSelection"]?.["userVerification"];
  responses["options for a registration: resident key"] = creation["authenticatorSelection"]?.["residentKey"];
  responses["options for a registration: user"] = fieldsOf(creation["user"]);
  note("options for a registration of a visitor", await newClient().auth.passkey.startRegistration());
  for (const [name, lies] of Object.entries({
    "without user verification": { flags: 1 },
    "without presence": { flags: 4 },
    "from another origin": { origin: "https://evil.example" },
    "for another relying party": { rpId: "evil.example" },
    "with another challenge": { challenge: "AAAA" },
    "of the other type": { type: "webauthn.get" },
  })) {
    note(`a registration ${name}`, await registerPasskey(client, createAuthenticator(SITE), lies));
  }
  for (const { id } of (await passkey.list()).data ?? []) await passkey.delete({ passkeyId: id });

  note("a registration", await registerPasskey(client, authenticator));
  note("the list", await passkey.list());
  const passkeyId = (await passkey.list()).data?.[0]?.id ?? "";
  note("a new name", await passkey.update({ passkeyId, friendlyName: "Phone" }));
  note("an empty name", await passkey.update({ passkeyId, friendlyName: "" }));
  note("a name of 121 characters", await passkey.update({ passkeyId, friendlyName: "x".repeat(121) }));
  note("a new name of an unknown passkey", await passkey.update({ passkeyId: userId, friendlyName: "x" }));
  const other = await signedIn();
  note("another member's new name", await other.client.auth.passkey.update({ passkeyId, friendlyName: "x" }));
  note("another member's deletion", await other.client.auth.passkey.delete({ passkeyId }));

  const start = await newClient().auth.passkey.startAuthentication();
  const request = start.data?.options as never as Record<string, unknown>;
  const challengeId = start.data?.challenge_id ?? "";
  responses["options for a sign-in: fields"] = Object.keys(start.data ?? {}).sort();
  responses["options for a sign-in: relying party"] = request["rpId"];
  responses["options for a sign-in: user verification"] = request["userVerification"];
  const member = newClient();
  const signedInBy = await signIn({}, member);
  responses["a sign-in"] = signedInBy.error ? describe(signedInBy) : "a session";
  const { data: session } = await member.auth.getSession();
  const claims = JSON.parse(
    Buffer.from(session.session?.access_token.split(".")[1] ?? "", "base64url").toString(),
  );
  responses["a sign-in: the token's claim amr"] = fieldsOf(claims.amr);
  responses["a sign-in: the methods"] = claims.amr?.map(({ method }: { method: string }) => method);

  const credential = authenticator.signIn(start.data?.options as never) as never;
  const verify = (id: string, answer = credential) =>
    newClient().auth.passkey.verifyAuthentication({ challengeId: id, credential: answer });
  note("a challenge that isn't an id", await verify("x"));
  note("an unknown challenge", await verify(randomUUID()));
  note("no challenge", await verify(""));
  note("an unreadable credential", await verify(challengeId, { id: "x" } as never));
  note("a challenge after a wrong response", await verify(challengeId));
  const ceremony = await passkey.startRegistration();
  note("a challenge of the other ceremony", await verify(ceremony.data?.challenge_id ?? ""));

  const { privateKey: stranger } = createAuthenticator(SITE);
  for (const [name, lies] of Object.entries({
    "without user verification": { flags: 1 },
    "without presence": { flags: 4 },
    "from another origin": { origin: "https://evil.example" },
    "for another relying party": { rpId: "evil.example" },
    "with another challenge": { challenge: "AAAA" },
    "of the other type": { type: "webauthn.create" },
    "with another key": { key: stranger },
    "with another member's handle": { userHandle: Buffer.from(other.id).toString("base64url") },
    "with an unknown passkey": { id: randomBytes(32).toString("base64url") },
    "with a counter that doesn't increase": { counter: 1 },
  } satisfies Record<string, SignInLies>)) {
    const answer = await signIn(lies);
    responses[`a sign-in ${name}`] = answer.error ? describe(answer) : "a session";
  }

  const suspended = createAuthenticator(SITE);
  await registerPasskey(other.client, suspended);
  note("a registration of another account's passkey", await registerPasskey(other.client, authenticator));

  for (let count = 1; count < 10; count += 1) await registerPasskey(client, createAuthenticator(SITE));
  note("options for an eleventh passkey", await passkey.startRegistration());
  note("the service's list", await service.auth.admin.passkey.listPasskeys({ userId }));
  note("the service's deletion", await service.auth.admin.passkey.deletePasskey({ userId, passkeyId }));
  note(
    "the service's second deletion",
    await service.auth.admin.passkey.deletePasskey({ userId, passkeyId }),
  );
  note("a deletion of an unknown passkey", await passkey.delete({ passkeyId }));
  const [left] = (await passkey.list()).data ?? [];
  note("a deletion", await passkey.delete({ passkeyId: left?.id ?? "" }));
  await service.auth.admin.updateUserById(other.id, { ban_duration: "1h" });
  note("a sign-in of a suspended member", await signInWithPasskey(newClient(), suspended));
  responses["a sign-in with a deleted passkey"] = describe(await signIn());
  return responses;
}

test.runIf(SUPABASE_AUTH)("the file contains Supabase Auth's responses", async () => {
  const reference = await startSupabaseAuth(SUPABASE_AUTH ?? "");
  try {
    const responses = await respond(reference);
    if (WRITE_PASSKEY_RESPONSES) await writeFile(FILE, JSON.stringify(responses, undefined, 2));
    expect(responses).toEqual(await readReference());
  } finally {
    await reference.stop();
  }
});

test("the built-in backend responds as Supabase Auth does, except where it is stricter on purpose", async () => {
  const auth = await startTestAuth();
  try {
    const responses = await respond(auth);
    expect(responses).toEqual({ ...(await readReference()), ...DIFFERENCES });
  } finally {
    await auth.stop();
  }
});
