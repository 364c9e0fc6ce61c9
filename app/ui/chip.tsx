import type { ReactNode } from "react";

/** The chip colours of specification §9 by skill category. */
const COLOURS: Record<string, string> = {
  python: "chip-green",
  sql: "chip-blue",
  aws: "chip-orange",
  tools: "chip-red",
};

/** `category` is python, sql, aws or tools; anything else is gray. */
export function Chip({ category = "other", children }: { category?: string; children: ReactNode }) {
  return (
    <span
      data-category={category}
      className={`inline-flex items-center gap-1.5 px-2 py-0.5 text-sm ${COLOURS[category] ?? "chip-gray"}`}
    >
      {children}
    </span>
  );
}
