interface Answer {
  data: unknown;
  error: { message: string; code?: string } | null;
}

/** Throws where a read failed: its callers decide whether the page stays quiet. */
export function rowsOf<Row>({ data, error }: Answer): Row[] {
  if (error) throw new Error(`${error.code || "no code"}: ${error.message}`);
  return (data ?? []) as Row[];
}
