import type { Column, FormValues, KindDefinition } from "./kind-definition.ts";

type Columns = Pick<KindDefinition, "columns">;

export const emptyValues = (kind: Columns): FormValues => toValues(kind, {});

/** Converts a row to form values. Lists become comma-separated text, and null becomes an empty string. */
export function toValues({ columns }: Columns, row: object): FormValues {
  const stored = row as Record<string, unknown>;
  return mapColumns(columns, (name, { type }) => {
    const value = stored[name];
    if (type === "flag") return value === true;
    return Array.isArray(value) ? value.join(", ") : String(value ?? "");
  }) as FormValues;
}

/** Converts form values to the columns that members fill in. */
export function toColumns({ columns }: Columns, values: FormValues): Record<string, unknown> {
  return mapColumns(columns, (name, { type }) => {
    const value = values[name];
    return type === "list" ? splitList(String(value)) : value;
  });
}

const splitList = (text: string) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);

function mapColumns<Value>(columns: Record<string, Column>, map: (name: string, column: Column) => Value) {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, map(name, column)]));
}
