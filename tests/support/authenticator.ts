import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import type { SupabaseClient } from "@supabase/supabase-js";

/** Bits of the authenticator data (WebAuthn Level 3, §6.1). */
const FLAGS = { present: 1, verified: 4, attested: 64 };
const USUAL_FLAGS = FLAGS.present | FLAGS.verified;

/** What a hostile authenticator or browser may say instead of the truth. */
export interface Lies {
  type?: string;
  challenge?: string;
  origin?: string;
  rpId?: string;
  flags?: number;
  counter?: number;
  userHandle?: string;
  id?: string;
  /** The number of bytes of the public key. */
  modulusBytes?: number;
  attestation?: { fmt: string; attStmt: Map<string, unknown> };
}

export type SignInLies = Lies & { signature?: string; key?: KeyObject };

export type SoftwareAuthenticator = ReturnType<typeof createAuthenticator>;

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
const encode = (data: string | Uint8Array) => Buffer.from(data).toString("base64url");

/** An authenticator with one passkey, and the browser around it, for a site at `origin`. */
export function createAuthenticator(origin: string) {
  const rpIdOfSite = new URL(origin).hostname;
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = encode(randomBytes(32));
  let counter = 0;
  let userHandle = "";

  const clientData = (usualType: string, usualChallenge: string, lies: Lies) => {
    const { type = usualType, challenge = usualChallenge, origin: claimed = origin } = lies;
    return JSON.stringify({ type, challenge, origin: claimed, crossOrigin: false });
  };

  function authenticatorData({ rpId = rpIdOfSite, flags = USUAL_FLAGS, ...lies }: Lies, attested?: Buffer) {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(lies.counter ?? counter);
    const allFlags = attested ? flags | FLAGS.attested : flags;
    return Buffer.concat([sha256(rpId), Buffer.from([allFlags]), count, attested ?? Buffer.alloc(0)]);
  }

  return {
    id,
    privateKey,
    /** The account's id, once the passkey has been registered. */
    userHandle: () => userHandle,

    register(
      options: Pick<PublicKeyCredentialCreationOptionsJSON, "challenge" | "user">,
      lies: Lies = {},
    ): RegistrationResponseJSON {
      userHandle = options.user.id;
      const rawId = Buffer.from(lies.id ?? id, "base64url");
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      const key = lies.modulusBytes ? rsaKey(lies.modulusBytes) : coseKey(publicKey);
      const attested = Buffer.concat([Buffer.alloc(16), length, rawId, key]);
      const authData = new Uint8Array(authenticatorData(lies, attested));
      const { fmt, attStmt } = lies.attestation ?? { fmt: "none", attStmt: new Map() };
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ["fmt", fmt],
          ["attStmt", attStmt],
          ["authData", authData],
        ]) as never,
      );
      return {
        id,
        rawId: id,
        type: "public-key",
        response: {
          clientDataJSON: encode(clientData("webauthn.create", options.challenge, lies)),
          attestationObject: encode(attestation),
          transports: ["internal"],
        },
        clientExtensionResults: {},
      };
    },

    signIn(
      options: Pick<PublicKeyCredentialRequestOptionsJSON, "challenge">,
      lies: SignInLies = {},
    ): AuthenticationResponseJSON {
      counter += 1;
      const data = authenticatorData(lies);
      const client = clientData("webauthn.get", options.challenge, lies);
      const signed = sign("sha256", Buffer.concat([data, sha256(client)]), lies.key ?? privateKey);
      return {
        id: lies.id ?? id,
        rawId: lies.id ?? id,
        type: "public-key",
        response: {
          clientDataJSON: encode(client),
          authenticatorData: encode(data),
          signature: lies.signature ?? encode(signed),
          userHandle: lies.userHandle ?? userHandle,
        },
        clientExtensionResults: {},
      };
    },
  };
}

/** An ES256 key in COSE's format (RFC 9053). */
function coseKey(key: KeyObject): Uint8Array {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const bytes = (coordinate: string) => new Uint8Array(Buffer.from(coordinate, "base64url"));
  const entries: [number, unknown][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ];
  return isoCBOR.encode(new Map(entries) as never);
}

function rsaKey(modulusBytes: number): Uint8Array {
  const entries: [number, unknown][] = [
    [1, 3],
    [3, -257],
    [-1, new Uint8Array(randomBytes(modulusBytes))],
    [-2, new Uint8Array([1, 0, 1])],
  ];
  return isoCBOR.encode(new Map(entries) as never);
}

/** Adds a passkey to the client's account. */
export async function registerPasskey(
  client: SupabaseClient,
  authenticator: SoftwareAuthenticator,
  lies: Lies = {},
) {
  const { data, error } = await client.auth.passkey.startRegistration();
  if (error) throw error;
  const credential = authenticator.register(data.options as never, lies) as never;
  return client.auth.passkey.verifyRegistration({ challengeId: data.challenge_id, credential });
}

export async function signInWithPasskey(
  client: SupabaseClient,
  authenticator: SoftwareAuthenticator,
  lies: SignInLies = {},
) {
  const { data, error } = await client.auth.passkey.startAuthentication();
  if (error) throw error;
  const credential = authenticator.signIn(data.options as never, lies) as never;
  return client.auth.passkey.verifyAuthentication({ challengeId: data.challenge_id, credential });
}
