import { memo } from "react";
import type { LeftOut } from "../import/index.ts";

/** Memoised, because the list may contain ten thousand lines. */
export const LeftOutList = memo(
  ({ title, leftOut }: { title: string; leftOut: LeftOut[] }) =>
    leftOut.length > 0 && (
      <section aria-label={title}>
        <p className="font-semibold">{`${title} (${leftOut.length})`}</p>
        <ul className="mt-1 text-muted">
          {leftOut.map(({ source, reason }, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              key={index}
              className="py-0.5 [content-visibility:auto] [contain-intrinsic-size:auto_1.5rem]"
            >
              <bdi className="text-ink">{source}</bdi> {reason}
            </li>
          ))}
        </ul>
      </section>
    ),
);
