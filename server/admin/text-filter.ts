/** Returns PostgREST's parameter `or` for rows that contain `search` in any of the columns. */
export function anyContains(columns: string[], search: string): string {
  return columns.map((name) => `${name}.ilike.${pattern(search)}`).join();
}

/**
 * Returns an `ilike` pattern that finds `search` anywhere in a text, quoted for PostgREST's parameter `or`. A `*`
 * becomes `_` (any character), because PostgREST would treat it as `%`.
 */
function pattern(search: string): string {
  const literal = search.replace(/[\\%_]/g, "\\$&").replaceAll("*", "_");
  return `"%${literal.replace(/["\\]/g, "\\$&")}%"`;
}
