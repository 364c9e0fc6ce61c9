import { RestError } from "../rest-error.ts";

export interface Preferences {
  resolution: "merge-duplicates" | undefined;
  return: "representation" | "minimal" | undefined;
  count: "exact" | undefined;
  handling: "strict" | "lenient" | undefined;
}

const KNOWN: { [name in keyof Preferences]: readonly string[] } = {
  resolution: ["merge-duplicates"],
  return: ["representation", "minimal"],
  count: ["exact"],
  handling: ["strict", "lenient"],
};

// An exact count is a good estimate, and a client that asked for one reads it.
const ESTIMATE = /^count=(planned|estimated)$/;

/** docs.postgrest.org, "Prefer Header": the first of two counts, unknown ones are ignored unless strict. */
export function parsePrefer(header: string | undefined): Preferences {
  const found = new Map<string, string>();
  const unknown: string[] = [];
  for (const preference of (header ?? "").split(",")) {
    const [name = "", value = ""] = preference.trim().replace(ESTIMATE, "count=exact").split("=", 2);
    if (Object.hasOwn(KNOWN, name) && KNOWN[name as keyof Preferences].includes(value)) {
      if (!found.has(name)) found.set(name, value);
    } else if (name !== "") unknown.push(preference.trim());
  }
  if (found.get("handling") === "strict" && unknown.length > 0) {
    throw new RestError(400, "PGRST122", "Invalid preferences given with handling=strict", {
      details: `Invalid preferences: ${unknown.join(", ").slice(0, 200)}`,
    });
  }
  return Object.fromEntries(found) as unknown as Preferences;
}

export function preferenceApplied(followed: Partial<Preferences>): Record<string, string> {
  const names = (Object.keys(KNOWN) as (keyof Preferences)[]).filter((name) => followed[name] !== undefined);
  if (names.length === 0) return {};
  return { "preference-applied": names.map((name) => `${name}=${followed[name]}`).join(", ") };
}
