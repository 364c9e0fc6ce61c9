import { RestError, unreadable } from "../rest-error.ts";

/** postgrest-js warns from 8,000 characters on; the longest address that the product makes has about 5,000. */
const MAX_LENGTH = 8192;

export type Parameter = [name: string, value: string];

/** URLSearchParams would turn broken UTF-8 into U+FFFD; here it is refused, as is NUL. Throws RestError. */
export function readParameters(url: string): Parameter[] {
  if (url.length > MAX_LENGTH) {
    throw new RestError(414, "PGRST100", `The address is longer than ${MAX_LENGTH} characters`);
  }
  const mark = url.indexOf("?");
  decode(mark < 0 ? url : url.slice(0, mark));
  if (mark < 0) return [];
  return url
    .slice(mark + 1)
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const equals = pair.indexOf("=");
      const name = equals < 0 ? pair : pair.slice(0, equals);
      return [decode(name), equals < 0 ? "" : decode(pair.slice(equals + 1))];
    });
}

function decode(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw unreadable("The address is not valid UTF-8");
  }
  if (decoded.includes("\0")) throw unreadable("The address holds a NUL character");
  return decoded;
}
