import type { KindDefinition } from "../content/kinds/kind-definition.ts";
import type { Entry } from "../data/content-reads.ts";
import { Chip } from "../ui/chip.tsx";
import { LocalDate } from "../ui/local-date.tsx";

/** The value shown next to a title in lists of titles. */
export function EntryNote({ kind, entry: { note } }: { kind: KindDefinition; entry: Entry }) {
  if (kind.entryColumn === "created_at") return <LocalDate time={note} />;
  const column = kind.columns[kind.entryColumn];
  const label = column?.type === "text" ? column.options?.[note] : undefined;
  return <Chip>{label ?? note}</Chip>;
}
