import type { Column } from "./columns.ts";

type Columns = Record<string, Column>;

/** The values of a form's fields, by column. A checkbox has a boolean, and every other field a text. */
export type ValuesOf<All extends Columns> = { -readonly [Name in keyof All]: ValueOf<All[Name]> };
type ValueOf<Any extends Column> = Any extends { type: "flag" } ? boolean : string;

interface WithColumns<All extends Columns> {
  columns: All;
}

export const emptyValues = <All extends Columns>(form: WithColumns<All>) => toValues(form, {});

/** Converts a row to form values. Lists become comma-separated text, and null becomes an empty string. */
export function toValues<All extends Columns>({ columns }: WithColumns<All>, row: object): ValuesOf<All> {
  const stored = row as Record<string, unknown>;
  return mapColumns(columns, (name, { type }) => {
    const value = stored[name];
    if (type === "flag") return value === true;
    return Array.isArray(value) ? value.join(", ") : String(value ?? "");
  }) as ValuesOf<All>;
}

/**
 * Converts form values to the columns that members fill in. Numbers are truncated to integers, and a text without a number
 * becomes null. An empty field of an optional column becomes `empty`.
 */
export function toColumns(
  { columns }: WithColumns<Columns>,
  values: Record<string, unknown>,
  empty: null | "" = null,
): Record<string, unknown> {
  return mapColumns(columns, (name, column) => toStored(column, values[name], empty));
}

function toStored(column: Column, value: unknown, empty: null | ""): unknown {
  if (column.type === "flag") return value;
  const text = String(value);
  if (column.type === "list") return splitList(text);
  if (column.type === "number") return toInteger(text);
  return text === "" && !column.isRequired ? empty : text;
}

function toInteger(text: string): number | null {
  const number = Number.parseInt(text, 10);
  return Number.isNaN(number) ? null : number;
}

const splitList = (text: string) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);

function mapColumns<Value>(columns: Columns, map: (name: string, column: Column) => Value) {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, map(name, column)]));
}
