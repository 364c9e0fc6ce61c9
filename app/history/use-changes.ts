import { useEffect, useState } from "react";
import { readItem } from "../../common/data/content-reads.ts";
import { toValues } from "../../common/data/form-values.ts";
import { readerOf } from "../../common/data/postgrest-reader.ts";
import type { FormValues, KindDefinition } from "../../common/kinds/kind-definition.ts";
import { useOperation } from "../operation/use-operation.ts";
import { memberData } from "../session/member-data.ts";
import { changesBetween, describeChanges } from "./version-changes.ts";
import { readVersionRows, type Version } from "./versions.ts";

/** Four of the longest texts fit into one response of the built-in data API. */
const VERSIONS_PER_READ = 4;
/** The versions of a long article can have 25 million characters together. Older ones then get no description. */
const MAX_CHARACTERS_READ = 2_000_000;

/**
 * Describes what the save that replaced each version changed, newest first and by the versions' ids. The descriptions
 * arrive one by one. A failed read ends them.
 *
 * @param versions all versions of the item, newest first. Must not change.
 */
export function useChanges(kind: KindDefinition, itemId: string, versions: Version[]) {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const { run } = useOperation([], "replace");

  // biome-ignore lint/correctness/useExhaustiveDependencies: the list of versions is mounted once for each item
  useEffect(
    () =>
      void run(async (signal) => {
        const client = await memberData();
        const item = await readItem(readerOf(client), kind.table, itemId);
        let after: FormValues | null = item && toValues(kind, item);
        let characters = 0;
        for (let start = 0; start < versions.length; start += VERSIONS_PER_READ) {
          const ids = versions.slice(start, start + VERSIONS_PER_READ).map(({ id }) => id);
          const rows = await readVersionRows(client, ids);
          for (const id of ids) {
            const row = rows.get(id);
            const before: FormValues | null = row ? toValues(kind, row) : null;
            if (before && after) {
              const text = describeChanges(changesBetween(kind, before, after));
              setTexts((known) => new Map(known).set(id, text));
            }
            after = before;
            characters += JSON.stringify(before).length;
            // Lets the page react between two comparisons.
            await new Promise((resolve) => setTimeout(resolve));
            if (signal.aborted || characters > MAX_CHARACTERS_READ) return;
          }
        }
      }),
    [],
  );
  return texts;
}
