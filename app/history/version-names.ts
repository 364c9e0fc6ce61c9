import { toLocalTime } from "../ui/local-date.tsx";
import type { Version } from "./versions.ts";

export interface NamedVersion extends Version {
  /** The version's name in a sentence, e.g. "the version until Nov 5, 2026, 10:31 AM". */
  name: string;
  hasSeconds: boolean;
}

/** Names versions by the time of their replacement. Versions of the same minute have seconds. */
export function nameVersions(versions: readonly Version[]): NamedVersion[] {
  const counts = new Map<string, number>();
  for (const { replaced_at } of versions) {
    const minute = toLocalTime(replaced_at);
    counts.set(minute, (counts.get(minute) ?? 0) + 1);
  }
  return versions.map((version) => {
    const hasSeconds = (counts.get(toLocalTime(version.replaced_at)) ?? 0) > 1;
    return {
      ...version,
      hasSeconds,
      name: `the version until ${toLocalTime(version.replaced_at, hasSeconds)}`,
    };
  });
}
