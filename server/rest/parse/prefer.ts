export interface Preferences {
  mergesDuplicates: boolean;
  wantsRows: boolean;
  wantsCount: boolean;
}

/** The first of two contradicting ones counts, others are ignored (docs.postgrest.org, "Prefer Header"). */
export function parsePrefer(header = ""): Preferences {
  const given = header.split(",").map((each) => each.trim());
  return {
    mergesDuplicates: given.includes("resolution=merge-duplicates"),
    wantsRows:
      given.find((each) => /^return=(minimal|representation)$/.test(each)) === "return=representation",
    // An exact count is a good estimate, and a client that asked for one reads it.
    wantsCount: given.some((each) => /^count=(exact|planned|estimated)$/.test(each)),
  };
}
