import { createHash, createHmac, randomBytes } from "node:crypto";

export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** With 256 random bits a token needs no salt. */
export function digest(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

export function nextToken(key: string, token: string): string {
  return createHmac("sha256", key).update(token).digest("base64url");
}
