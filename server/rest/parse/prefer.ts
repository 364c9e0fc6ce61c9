export interface Preferences {
  /** What becomes of a row whose key is there already; otherwise the insert fails. */
  duplicates: "merge" | "ignore" | undefined;
  wantsRows: boolean;
  wantsCount: boolean;
}

/** The first of two contradicting ones counts, others are ignored (docs.postgrest.org, "Prefer Header"). */
export function parsePrefer(header = ""): Preferences {
  const given = header.split(",").map((each) => each.trim());
  const resolution = given.find((each) => /^resolution=(merge|ignore)-duplicates$/.test(each));
  return {
    duplicates: resolution === undefined ? undefined : resolution.includes("merge") ? "merge" : "ignore",
    wantsRows:
      given.find((each) => /^return=(minimal|representation)$/.test(each)) === "return=representation",
    // An exact count is a good estimate, and a client that asked for one reads it.
    wantsCount: given.some((each) => /^count=(exact|planned|estimated)$/.test(each)),
  };
}
