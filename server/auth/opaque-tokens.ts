import { createHmac, hash, randomBytes } from "node:crypto";

export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The database stores this digest instead of the token. It needs no salt, because a 256-bit token can't be guessed. */
export function digest(token: string): string {
  return hash("sha256", token);
}

export function nextToken(key: string, token: string): string {
  return createHmac("sha256", key).update(token).digest("base64url");
}
