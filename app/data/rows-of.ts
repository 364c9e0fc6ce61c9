interface Answer {
  data: unknown;
  error: { message: string; code?: string } | null;
}

/** Throws if the read failed. Callers decide whether to show the failure. */
export function rowsOf<Row>({ data, error }: Answer): Row[] {
  if (error) throw new Error(`${error.code || "no code"}: ${error.message}`);
  return (data ?? []) as Row[];
}
