import { RestError, unreadable } from "../rest-error.ts";

/** postgrest-js warns above 8,000 characters. The site's own longest address has about 5,000. */
const MAX_LENGTH = 8192;

export type Parameter = [name: string, value: string];

/** Rejects invalid UTF-8, which URLSearchParams would turn into U+FFFD, and NUL. Throws RestError. */
export function readParameters(url: string): Parameter[] {
  if (url.length > MAX_LENGTH) {
    throw new RestError(414, "PGRST100", `The address is longer than ${MAX_LENGTH} characters`);
  }
  let decoded: string;
  try {
    decoded = decodeURIComponent(url);
  } catch {
    throw unreadable("The address is not valid UTF-8");
  }
  if (decoded.includes("\0")) throw unreadable("The address contains a NUL character");
  return [...new URL(url).searchParams];
}
