export type Cursor = string;

const CURSOR =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))~([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

export function cursorOf({ created_at, id }: { created_at: string; id: string }): Cursor {
  return `${created_at}~${id}`;
}

export function parseCursor(value: string | null | undefined): { createdAt: string; id: string } | null {
  const [, createdAt, id] = CURSOR.exec(value ?? "") ?? [];
  return createdAt && id ? { createdAt, id } : null;
}
