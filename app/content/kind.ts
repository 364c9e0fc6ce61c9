import type { ReactNode } from "react";
import type { Authored, ContentRow, Writer } from "../data/schema.ts";
import type { FieldOf } from "../ui/field.tsx";
import type { FormValues, KindDefinition } from "./kinds/kind-definition.ts";

export interface CardData<Row extends ContentRow = ContentRow> {
  /** The row, without the column that was rendered to `html`. */
  item: Authored<Row, Writer>;
  html?: string;
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
}

/** A kind's definition with its React components. */
export interface ContentKind extends KindDefinition {
  emptyValues: FormValues;
  Card(props: CardProps): ReactNode;
  Fields(props: FieldsProps): ReactNode;
}
