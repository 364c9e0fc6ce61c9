interface ReadResult {
  data: unknown;
  error: { message: string; code?: string } | null;
}

/** Returns the rows of a result. Throws if the read failed. */
export function rowsOf<Row>({ data, error }: ReadResult): Row[] {
  if (error) throw new Error(`${error.code || "no code"}: ${error.message}`);
  return (data ?? []) as Row[];
}
