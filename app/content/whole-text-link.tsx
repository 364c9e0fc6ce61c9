import { Link } from "react-router";
import { itemPath } from "../../common/data/addresses.ts";
import type { ContentRow } from "../../common/data/schema.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";

/** Leads from a card that shows only the beginning of a text to the item's page (contract, "Limits"). */
export function WholeTextLink({ kind, item }: { kind: KindDefinition; item: ContentRow }) {
  return (
    <p className="mt-4">
      <Link
        to={itemPath(kind, item)}
        className="inline-flex min-h-11 items-center text-ink underline underline-offset-4"
      >
        {`Read the whole ${kind.itemName.toLowerCase()}`}
      </Link>
    </p>
  );
}
