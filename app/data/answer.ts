interface Answer<Data> {
  data: Data | null;
  error: { message: string; code?: string } | null;
}

/** A read that the backend answered with an error: callers decide whether the page stays quiet. */
class ReadError extends Error {
  override readonly name = "ReadError";
}

/** Throws ReadError. */
export function rowsOf<Row>({ data, error }: Answer<Row[]>): Row[] {
  if (error) throw new ReadError(`${error.code ?? "no code"}: ${error.message}`);
  return data ?? [];
}

/** Pages keep quiet about a failed write (specification §8). */
export function isDone({ error }: { error: unknown }): boolean {
  return error === null;
}
