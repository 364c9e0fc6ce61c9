const CURSOR =
  /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-](?:0\d|1[0-4]):\d\d))~([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

export function cursorOf({ created_at, id }: { created_at: string; id: string }): string {
  return `${created_at}~${id}`;
}

/** Parses the cursor in a list's URL. Returns null for one that PostgreSQL would reject. */
export function parseCursor(value: string | null | undefined): { createdAt: string; id: string } | null {
  const [, createdAt = "", id] = CURSOR.exec(value ?? "") ?? [];
  const day = createdAt.slice(0, 10);
  // Compare the days, because `Date` turns 30 February into a day in March.
  const isTime = !Number.isNaN(Date.parse(createdAt)) && new Date(day).toISOString().startsWith(day);
  return id && isTime ? { createdAt, id } : null;
}
