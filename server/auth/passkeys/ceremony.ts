import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import * as v from "valibot";
import { isUuid } from "../../../common/data/addresses.ts";
import { LIMITS } from "../../config/limits.ts";
import type { RelyingParty } from "../../config/relying-party.ts";
import { GoTrueError } from "../auth-error.ts";
import type { NewCredential, StoredCredential } from "../store/passkeys.ts";

/** The accepted signatures: Ed25519, ECDSA with P-256, and RSA (COSE identifiers). */
const ALGORITHMS = [-8, -7, -257];
const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
/** WebAuthn Level 3, §4, "Credential ID". */
const MAX_CREDENTIAL_ID_BYTES = 1_023;

/** Imported on the first call: most requests don't need it. */
const library = () => import("@simplewebauthn/server");
const helpers = () => import("@simplewebauthn/server/helpers");

/** Why a response was rejected, for the log. */
export class RejectedResponseError extends GoTrueError {
  readonly reason: string;

  constructor(reason: string, message = "Credential verification failed") {
    super(400, "webauthn_verification_failed", message);
    this.reason = reason;
  }
}

const base64url = v.pipe(v.string(), v.regex(/^[\w-]+$/));
const common = {
  id: base64url,
  rawId: base64url,
  type: v.literal("public-key"),
  clientExtensionResults: v.optional(v.looseObject({}), {}),
};
const REGISTRATION = v.object({
  ...common,
  response: v.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: v.optional(v.array(v.string()), []),
  }),
});
const AUTHENTICATION = v.object({
  ...common,
  response: v.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url,
  }),
});

function parse<Output>(schema: v.GenericSchema<unknown, Output>, credential: unknown): Output {
  const { success, output, issues } = v.safeParse(schema, credential);
  if (success) return output;
  const { path } = issues[0];
  const place = path?.map(({ key }) => key).join(".") ?? "the credential";
  throw new RejectedResponseError(`${place} is missing or invalid`, "Invalid credential response");
}

interface Registrant {
  id: string;
  email: string;
  credentials: { id: Buffer; transports: string[] }[];
}

/** The user handle is the account's id, as in GoTrue: authenticators reveal it without verifying the user. */
export async function registrationOptions(rp: RelyingParty, siteName: string, registrant: Registrant) {
  const { generateRegistrationOptions } = await library();
  const { id, email, credentials } = registrant;
  return generateRegistrationOptions({
    rpName: siteName,
    rpID: rp.id,
    userID: new TextEncoder().encode(id),
    userName: email,
    userDisplayName: email,
    timeout: LIMITS.passkeys.challengeMinutes * 60_000,
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: credentials.map((credential) => ({
      id: credential.id.toString("base64url"),
      transports: TRANSPORTS.filter((transport) => credential.transports.includes(transport)),
    })),
  });
}

export async function authenticationOptions(rp: RelyingParty) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: rp.id,
    userVerification: "required",
    timeout: LIMITS.passkeys.challengeMinutes * 60_000,
  });
}

/** Throws RejectedResponseError. */
export async function verifyRegistration(
  rp: RelyingParty,
  challenge: string,
  credential: unknown,
): Promise<NewCredential> {
  const response = parse(REGISTRATION, credential);
  const { verifyRegistrationResponse } = await library();
  await rejectCertificates(response.response.attestationObject);
  const { registrationInfo: verified } = await orReject(
    verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!verified) throw new RejectedResponseError("the attestation is wrong");
  const { id, publicKey, counter } = verified.credential;
  // The library doesn't compare the two.
  if (id !== response.id) throw new RejectedResponseError("the credential's two ids differ");
  const credentialId = Buffer.from(id, "base64url");
  if (credentialId.length > MAX_CREDENTIAL_ID_BYTES) throw new RejectedResponseError("the id is too long");
  if (publicKey.length > LIMITS.passkeys.publicKeyBytes) {
    throw new RejectedResponseError("the public key is too long");
  }
  return {
    credentialId,
    publicKey,
    attestationType: verified.fmt,
    aaguid: verified.aaguid,
    signCount: counter,
    transports: TRANSPORTS.filter((transport) => response.response.transports.includes(transport)),
    isBackupEligible: verified.credentialDeviceType === "multiDevice",
    isBackedUp: verified.credentialBackedUp,
  };
}

/**
 * Rejects an attestation with certificates. The site requests none, so browsers remove them. For some formats, the
 * library would request lists of revoked certificates from the URLs in them, which a hostile member could choose.
 */
async function rejectCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  const decode = async () => decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const attestation = await orReject(decode());
  const format = attestation.get("fmt");
  const isSelfAttestation = format === "packed" && attestation.get("attStmt").get("x5c") === undefined;
  if (format !== "none" && !isSelfAttestation)
    throw new RejectedResponseError("attestation was not requested");
}

export type Assertion = v.InferOutput<typeof AUTHENTICATION>;

/** Throws RejectedResponseError. */
export const parseAssertion = (credential: unknown): Assertion => parse(AUTHENTICATION, credential);

/** `handle` is empty if it isn't the id of an account. */
export function credentialOf({ id, response }: Assertion): { credentialId: Buffer; handle: string } {
  const handle = Buffer.from(response.userHandle, "base64url").toString();
  return { credentialId: Buffer.from(id, "base64url"), handle: isUuid(handle) ? handle : "" };
}

/**
 * A public key without a stored private key. The server verifies responses of unknown passkeys with it, so that
 * they take as long as wrong signatures.
 */
const UNKNOWN = Buffer.from(
  "pQECAyYgASFYIO0n39C2Iy3no355HG4qV_ciNFFja5X9q-uFbt7DmBQ4IlggWfRKEbWiM4mqYHbrjD-j-auKgOuz7IesdBS9KCrCUkA",
  "base64url",
);

/** Throws RejectedResponseError. `stored` is undefined for an unknown passkey, or one of another member. */
export async function verifyAuthentication(
  rp: RelyingParty,
  challenge: string,
  assertion: Assertion,
  stored: StoredCredential | undefined,
): Promise<{ signCount: number; isBackedUp: boolean }> {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await orReject(
    verifyAuthenticationResponse({
      response: assertion as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
      credential: {
        id: assertion.id,
        publicKey: new Uint8Array(stored?.publicKey ?? UNKNOWN),
        // `recordUse` compares the counters: the library would do it before it verifies the signature, so that the
        // duration would reveal whether the passkey exists.
        counter: 0,
      },
    }),
  );
  if (!stored) throw new RejectedResponseError("the passkey is unknown");
  if (!verified) throw new RejectedResponseError("the signature is wrong");
  const { newCounter, credentialBackedUp } = authenticationInfo;
  return { signCount: newCounter, isBackedUp: credentialBackedUp };
}

/** The library throws an Error for each wrong response. */
async function orReject<T>(verification: Promise<T>): Promise<T> {
  return verification.catch((error: unknown) => {
    throw new RejectedResponseError(error instanceof Error ? error.message : String(error));
  });
}
