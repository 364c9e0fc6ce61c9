import type { Entry } from "../../common/data/content-reads.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { Chip } from "../ui/chip.tsx";
import { LocalDate } from "../ui/local-date.tsx";

/** Shows an item's date, category or language next to its title. */
export function EntryNote({ kind, entry: { note } }: { kind: KindDefinition; entry: Entry }) {
  if (kind.entryColumn === "created_at") return <LocalDate time={note} />;
  const column = kind.columns[kind.entryColumn];
  const label = column?.type === "choice" ? column.options[note] : undefined;
  return <Chip>{label ?? note}</Chip>;
}
