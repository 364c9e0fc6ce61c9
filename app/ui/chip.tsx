import type { ReactNode } from "react";

export function Chip({ category = "other", children }: { category?: string; children: ReactNode }) {
  return (
    <span data-category={category} className="chip inline-flex items-center gap-1.5 px-2 py-0.5 text-sm">
      {children}
    </span>
  );
}
