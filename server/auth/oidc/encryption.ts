import { createHmac } from "node:crypto";
import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from "jose";

export type Encryption<Content> = ReturnType<typeof createEncryption<Content>>;

/**
 * Encrypts values that leave the server (`state`) or are kept in the database (the provider's tokens). Each purpose has
 * its own key, so that a value for one purpose cannot be used for another.
 */
export function createEncryption<Content>(secret: string, purpose: string) {
  const key = createHmac("sha256", secret).update(`single sign-on: ${purpose}`).digest();
  return {
    /** `lifetime` is a duration such as `10m`. */
    async encrypt(content: Content, lifetime?: string): Promise<string> {
      const token = new EncryptJWT({ content }).setProtectedHeader({ alg: "dir", enc: "A256GCM" });
      if (lifetime !== undefined) token.setExpirationTime(lifetime);
      return token.encrypt(key);
    },
    /** Returns undefined if the value has expired, was changed, or was encrypted with another secret. */
    async decrypt(encrypted: string): Promise<Content | undefined> {
      try {
        const { payload } = await jwtDecrypt<JWTPayload & { content: Content }>(encrypted, key, {
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
        });
        return payload.content;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
