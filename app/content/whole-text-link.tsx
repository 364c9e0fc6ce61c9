import { itemPath } from "../../common/data/addresses.ts";
import type { ContentRow } from "../../common/data/schema.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { TextLink } from "../ui/text-link.tsx";

/** Leads from a card that shows only the beginning of a text to the item's page (contract, "Limits"). */
export function WholeTextLink({ kind, item }: { kind: KindDefinition; item: ContentRow }) {
  return (
    <p className="mt-4">
      <TextLink to={itemPath(kind, item)}>{`Read the whole ${kind.itemName.toLowerCase()}`}</TextLink>
    </p>
  );
}
