/** Hosted Supabase returns at most this many rows per read, unless the project has another limit. */
export const ROWS_PER_READ = 1000;

interface ReadResult<Row> {
  data: Row[] | null;
  error: { message: string; code?: string } | null;
}

/** A read that the backend rejected, or that failed. `code` is PostgreSQL's or PostgREST's, if there is one. */
export class ReadError extends Error {
  override readonly name = "ReadError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code || "no code"}: ${message}`);
    this.code = code;
  }
}

/** Returns the rows of a result. Throws ReadError if the read failed. */
export function rowsOf<Row>({ data, error }: ReadResult<Row>): Row[] {
  if (error) throw new ReadError(error.code ?? "", error.message);
  return data ?? [];
}

/** PostgreSQL's error code program_limit_exceeded. The built-in data API returns it for responses above 8 MiB. */
export const TOO_LARGE = "54000";

/**
 * Reads up to `count` rows. If the response is too large, tries again with half as many rows. Returns the rows and the
 * last count.
 */
export async function readFitting<Row>(
  count: number,
  read: (count: number) => Promise<Row[]>,
): Promise<{ rows: Row[]; count: number }> {
  try {
    return { rows: await read(count), count };
  } catch (error) {
    if (!(error instanceof ReadError && error.code === TOO_LARGE) || count <= 1) throw error;
    return readFitting(Math.ceil(count / 2), read);
  }
}

/**
 * Reads `count` rows, or all if there are fewer. If one response would be too large, reads them in several.
 *
 * @param read reads up to `limit` rows that follow the rows in `previous`
 */
export async function readInParts<Row>(
  count: number,
  read: (limit: number, previous: Row[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  while (rows.length < count) {
    const part = await readFitting(count - rows.length, (limit) => read(limit, rows));
    rows.push(...part.rows);
    if (part.rows.length < part.count) break;
  }
  return rows;
}
