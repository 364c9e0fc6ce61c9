import { createHash, createHmac, randomBytes } from "node:crypto";

/** Returns 256 random bits as text that fits into an address. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Takes a secret, returns what is stored of it: who reads the database can use none. It needs no salt, having 256 bits. */
export function digest(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Takes a session's key and one of its refresh tokens, returns the token that follows it. */
export function nextSecret(key: string, secret: string): string {
  return createHmac("sha256", key).update(secret).digest("base64url");
}
