import type { ReactNode } from "react";

/** Specification §9. */
const COLOURS: Record<string, string> = {
  python: "chip-green",
  sql: "chip-blue",
  aws: "chip-orange",
  tools: "chip-red",
};

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
