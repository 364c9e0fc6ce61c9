/** The pause after which typed text is searched. */
export const SEARCH_PAUSE_MS = 200;

/** Longer searches are cut, because servers limit the length of URLs. */
export const MAX_SEARCH_LENGTH = 300;

export function textParameter(parameters: URLSearchParams, name: string): string {
  // Remove NUL, which PostgreSQL rejects, and replace half of a surrogate pair, which the cut may leave.
  const text = parameters.get(name)?.replaceAll("\0", "").trim() ?? "";
  return text.slice(0, MAX_SEARCH_LENGTH).toWellFormed().trim();
}

/** Returns a query string with its question mark, or "" if no parameter has a value. */
export function formatQuery(values: Record<string, string | number | null | false | undefined>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value) parameters.set(name, String(value));
  return parameters.size > 0 ? `?${parameters}` : "";
}
