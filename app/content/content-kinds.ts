import type { ContentKind } from "./kind.ts";
import { emptyValues } from "./kinds/form-values.ts";
import { KINDS, kindAtPath, kindName } from "./kinds/index.ts";
import type { KindDefinition } from "./kinds/kind-definition.ts";

const cards = import.meta.glob<ContentKind["Card"]>("./kinds/*/card.tsx", { eager: true, import: "default" });
const fields = import.meta.glob<ContentKind["Fields"]>("./kinds/*/fields.tsx", {
  eager: true,
  import: "default",
});

const contentKinds: readonly ContentKind[] = KINDS.map(withViews);

function withViews(kind: KindDefinition): ContentKind {
  const Card = cards[`./kinds/${kindName(kind)}/card.tsx`];
  const Fields = fields[`./kinds/${kindName(kind)}/fields.tsx`];
  if (!Card || !Fields) throw new Error(`content/kinds/${kindName(kind)} lacks card.tsx or fields.tsx`);
  return { ...kind, emptyValues: emptyValues(kind), Card, Fields };
}

/** Returns the kind of the list or item at a path. Throws for other paths. */
export function kindAt({ pathname }: { pathname: string }): ContentKind {
  const definition = kindAtPath(pathname);
  const kind = contentKinds.find(({ table }) => table === definition?.table);
  if (!kind) throw new Error(`There is no kind of content at ${pathname}`);
  return kind;
}
