import type { ReactNode } from "react";
import type { ContentRow, ContentTable } from "../data/content-reads.ts";
import type { Article, Authored, CodeSample, UsefulLink, Writer } from "../data/schema.ts";
import type { RenderJob } from "../site.ts";
import type { FieldOf } from "../ui/field.tsx";

export interface CardData<Row extends ContentRow = ContentRow> {
  /** Lacks its long text, except in a list that the browser searches. */
  item: Authored<Row, Writer>;
  html?: string;
}

type Column = keyof (Article & UsefulLink & CodeSample);

export interface ListKind<Row extends ContentRow = ContentRow> {
  table: ContentTable;
  searched: readonly Column[];
  rendered?: { field: Column; job(row: Row, isPage?: boolean): RenderJob };
}

export interface FormValues {
  title: string;
}

export interface ContentKind<Row extends ContentRow = ContentRow, Values extends FormValues = FormValues>
  extends ListKind<Row> {
  about: { path: string; name: string; description: string };
  texts: {
    searchPlaceholder: string;
    createHeading: string;
    editHeading: string;
    createButton: string;
    updateButton: string;
    empty: string;
  };
  /** Whether each save says when it was made (specification §7, call 16). */
  isStamped: boolean;
  /** The form's columns of a row; the mechanism adds owner, id and time. */
  emptyValues: Values;
  /** Beyond edit mode, which is always dirty (specification §4). */
  isDirty(values: Values): boolean;
  Fields(props: { values: Values; field: FieldOf<Values> }): ReactNode;
  Card(props: { card: CardData<Row>; actions: ReactNode; isOwn?: boolean; isPage?: boolean }): ReactNode;
}
