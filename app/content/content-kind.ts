import { lazy, type ReactNode } from "react";
import { emptyValues } from "../../common/data/form-values.ts";
import type { Authored, ContentRow, LinkedAuthor } from "../../common/data/schema.ts";
import { KINDS, kindAtPath, kindSlug } from "../../common/kinds/index.ts";
import type { FormValues, KindDefinition } from "../../common/kinds/kind-definition.ts";
import type { FormUploads } from "../pictures/uploads.ts";
import type { FieldOf } from "../ui/field.tsx";

export interface CardData<Row extends ContentRow = ContentRow> {
  /** The row, without the column that was rendered to `html`. */
  item: Authored<Row, LinkedAuthor>;
  html?: string;
  /** Whether `html` is only the beginning of the text. */
  isCut?: boolean;
}

export interface CardProps<Row extends ContentRow = ContentRow> {
  card: CardData<Row>;
  actions: ReactNode;
  isOwn?: boolean;
  isPage?: boolean;
}

export interface FieldsProps<Values = FormValues> {
  values: Values;
  field: FieldOf<Values>;
  formUploads: FormUploads;
}

/**
 * A kind's definition with its React components. Code in `server/` imports only the definition: Node runs it without a
 * build, and can't load JSX.
 */
export interface ContentKind extends KindDefinition {
  emptyValues: FormValues;
  Card(props: CardProps): ReactNode;
  Fields(props: FieldsProps): ReactNode;
}

// Find the components by their file names, so that no list of components needs a line for a new kind (decision 009).
const cards = import.meta.glob<ContentKind["Card"]>("./kinds/*/card.tsx", { eager: true, import: "default" });
// Only members need the fields, so visitors don't load their code.
const fields = import.meta.glob<{ default: ContentKind["Fields"] }>("./kinds/*/fields.tsx");

const CONTENT_KINDS = new Map(KINDS.map((kind) => [kind, withComponents(kind)]));

function withComponents(kind: KindDefinition): ContentKind {
  const Card = cards[`./kinds/${kindSlug(kind)}/card.tsx`];
  const loadFields = fields[`./kinds/${kindSlug(kind)}/fields.tsx`];
  if (!Card || !loadFields) throw new Error(`content/kinds/${kindSlug(kind)} lacks card.tsx or fields.tsx`);
  return { ...kind, emptyValues: emptyValues(kind), Card, Fields: lazy(loadFields) };
}

/** Returns the kind of the list or item at a path. Throws for other paths. */
export function kindAt({ pathname }: { pathname: string }): ContentKind {
  const definition = kindAtPath(pathname);
  const kind = definition && CONTENT_KINDS.get(definition);
  if (!kind) throw new Error(`There is no kind of content at ${pathname}`);
  return kind;
}
