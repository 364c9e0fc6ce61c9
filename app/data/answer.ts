interface Answer {
  data: unknown;
  error: { message: string; code?: string } | null;
}

/** Callers of reads decide whether the page stays quiet. */
class ReadError extends Error {
  override readonly name = "ReadError";
}

export function rowsOf<Row>({ data, error }: Answer): Row[] {
  if (error) throw new ReadError(`${error.code || "no code"}: ${error.message}`);
  return (data ?? []) as Row[];
}
