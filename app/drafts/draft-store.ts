export interface Draft<Values> {
  /** Several tabs write at once, so each form writes under an id of its own. */
  id: string;
  /** The row that is being edited; null for a new one. */
  target: string | null;
  values: Values;
  /** What the form began with; null when that is not known and everything counts as typed. */
  base: Values | null;
  /** Milliseconds since 1970. */
  keptAt: number;
}

export function draftStore<Values extends object>(
  userId: string,
  page: string,
  empty: Values,
  storage: Storage | null = browserStorage(),
) {
  const prefix = `techfolio.draft.${userId}.${page}.`;

  function read(key: string): Draft<Values> | null {
    try {
      const kept = JSON.parse(storage?.getItem(key) ?? "null") as Partial<Draft<Values>> | null;
      if (typeof kept?.keptAt !== "number" || typeof kept.values !== "object") return null;
      return {
        id: key.slice(prefix.length),
        target: typeof kept.target === "string" ? kept.target : null,
        // Another release may have kept it.
        values: fitted(empty, kept.values),
        base: kept.base ? fitted(empty, kept.base) : null,
        keptAt: kept.keptAt,
      };
    } catch {
      return null;
    }
  }

  return {
    all(): Draft<Values>[] {
      return Object.keys(storage ?? {})
        .filter((key) => key.startsWith(prefix))
        .flatMap((key) => read(key) ?? [])
        .sort((a, b) => b.keptAt - a.keptAt);
    },
    keep({ id, target, values, base }: Omit<Draft<Values>, "keptAt">) {
      try {
        storage?.setItem(`${prefix}${id}`, JSON.stringify({ target, values, base, keptAt: Date.now() }));
      } catch {
        // The storage is full: the form still has the text.
      }
    },
    drop(id: string) {
      storage?.removeItem(`${prefix}${id}`);
    },
  };
}

function browserStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** The fields of a form: unknown ones are left out, missing ones are empty. */
function fitted<Values extends object>(empty: Values, kept: object): Values {
  const known = Object.entries(kept).filter(
    ([field, value]) => typeof value === typeof empty[field as keyof Values],
  );
  return { ...empty, ...Object.fromEntries(known) };
}

export function changedFields<Values extends object>(base: Values, values: Values): Partial<Values> {
  const changed = Object.entries(values).filter(([field, value]) => base[field as keyof Values] !== value);
  return Object.fromEntries(changed) as Partial<Values>;
}
