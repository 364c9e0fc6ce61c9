import type { Column } from "../data/columns.ts";
import type { FormValues, KindDefinition } from "./kind-definition.ts";

type WithColumns = Pick<KindDefinition, "columns">;

export const emptyValues = (kind: WithColumns): FormValues => toValues(kind, {});

/** Converts a row to form values. Lists become comma-separated text, and null becomes an empty string. */
export function toValues({ columns }: WithColumns, row: object): FormValues {
  const stored = row as Record<string, unknown>;
  return mapColumns(columns, (name, { type }) => {
    const value = stored[name];
    if (type === "flag") return value === true;
    return Array.isArray(value) ? value.join(", ") : String(value ?? "");
  }) as FormValues;
}

/** Converts form values to the columns that members fill in. An empty field of an optional column becomes null. */
export function toColumns({ columns }: WithColumns, values: FormValues): Record<string, unknown> {
  return mapColumns(columns, (name, column) => toStored(column, values[name]));
}

function toStored(column: Column, value: unknown): unknown {
  if (column.type === "flag") return value;
  const text = String(value);
  if (column.type === "list") return splitList(text);
  if (text === "" && !column.isRequired) return null;
  return column.type === "number" ? Number(text) : text;
}

const splitList = (text: string) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);

function mapColumns<Value>(columns: Record<string, Column>, map: (name: string, column: Column) => Value) {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, map(name, column)]));
}
