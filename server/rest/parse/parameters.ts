import { RestError, unreadable } from "../rest-error.ts";

/** Ordinary clients don't need a longer URL: postgrest-js regards more than 8,000 characters as too long. */
const MAX_LENGTH = 8192;

export type Parameter = [name: string, value: string];

/**
 * Returns the query parameters of a URL. Rejects NUL characters, which PostgreSQL can't store, and invalid UTF-8, which
 * URLSearchParams would turn into U+FFFD. Throws RestError.
 */
export function readParameters(url: string): Parameter[] {
  if (url.length > MAX_LENGTH) {
    throw new RestError(414, "PGRST100", `The URL is longer than ${MAX_LENGTH} characters`);
  }
  let decoded: string;
  try {
    decoded = decodeURIComponent(url);
  } catch {
    throw unreadable("The URL is not valid UTF-8");
  }
  if (decoded.includes("\0")) throw unreadable("The URL contains a NUL character");
  return [...new URL(url).searchParams];
}
