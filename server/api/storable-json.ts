import { LIMITS } from "../config/limits.ts";

/** The reasons why a JSON value can't be stored, as ends of a sentence that starts with "The body". */
export const FLAWS = {
  depth: `is nested deeper than ${LIMITS.jsonLevels} levels`,
  nul: "contains the character NUL",
  surrogate: "contains an unpaired surrogate",
};

export type Flaw = keyof typeof FLAWS;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns why a JSON value can't be stored, or undefined if it can. PostgreSQL rejects NUL and unpaired surrogates, and
 * we reject values with too many levels.
 */
export function findFlaw(value: unknown, depth = 1): Flaw | undefined {
  if (typeof value === "string" && value.includes("\0")) return "nul";
  if (typeof value === "string") return value.isWellFormed() ? undefined : "surrogate";
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > LIMITS.jsonLevels) return "depth";
  for (const [key, inner] of Object.entries(value)) {
    const flaw = findFlaw(key, depth) ?? findFlaw(inner, depth + 1);
    if (flaw) return flaw;
  }
  return undefined;
}

export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
