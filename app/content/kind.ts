import type { ReactNode } from "react";
import type { Authored, ContentRow, Writer } from "../data/schema.ts";
import type { FieldOf } from "../ui/field.tsx";
import type { FormValues, KindDefinition } from "./kinds/kind-definition.ts";

export interface CardData<Row extends ContentRow = ContentRow> {
  /** Without its long text, except in a list that the browser searches. */
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

/** A definition with its components. */
export interface ContentKind extends KindDefinition {
  emptyValues: FormValues;
  Card(props: CardProps): ReactNode;
  Fields(props: FieldsProps): ReactNode;
}
