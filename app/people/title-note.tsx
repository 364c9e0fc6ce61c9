import type { ItemTitle } from "../../common/data/content-reads.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { Chip } from "../ui/chip.tsx";
import { LocalDate } from "../ui/local-date.tsx";

/** Shows an item's date, category or language next to its title. */
export function TitleNote({ kind, item: { note } }: { kind: KindDefinition; item: ItemTitle }) {
  if (kind.noteColumn === "created_at") return <LocalDate time={note} />;
  const column = kind.columns[kind.noteColumn];
  const label = column?.type === "choice" ? column.options[note] : undefined;
  return <Chip>{label ?? note}</Chip>;
}
