const PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Takes a text, returns whether it is a UUID as RFC 9562 writes it, of whatever version. */
export function isUuid(text: string): boolean {
  return PATTERN.test(text);
}
