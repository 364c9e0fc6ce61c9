import { useCallback, useEffect, useEffectEvent, useState } from "react";
import type { ContentRow } from "../../common/data/schema.ts";
import { PENDING_TEXT } from "../../common/page-services.ts";
import type { CardData, ContentKind } from "./content-kind.ts";

/** How long to wait before each attempt. The server needs at most 30 s of CPU time for a text, after those before it. */
const DELAYS_MS = [1_000, 2_000, 3_000, 5_000, 10_000, 20_000, 30_000, 60_000];

/** Whether the server has sent the card's text without formatting, because it is still being rendered. */
export const isPending = (html: string | undefined) => html?.startsWith(PENDING_TEXT) === true;

/**
 * Reads the page again until its texts are formatted, a few times, and not while the page is hidden. Another save starts
 * this again.
 */
export function usePendingTexts(cards: readonly Pick<CardData, "html">[], reload: () => Promise<void>): void {
  const pending = cards.flatMap(({ html }) => (isPending(html) ? [html?.length] : [])).join();
  const [attempt, setAttempt] = useState({ pending, count: 0 });
  const count = attempt.pending === pending ? attempt.count : 0;
  const read = useEffectEvent(async () => {
    await reload().catch(() => undefined);
    setAttempt({ pending, count: count + 1 });
  });
  useEffect(() => {
    const delay = DELAYS_MS[count];
    if (pending === "" || delay === undefined) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      if (document.visibilityState === "visible") return void read();
      const { signal } = abort;
      document.addEventListener("visibilitychange", () => void read(), { once: true, signal });
    }, delay);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [pending, count]);
}

/**
 * Shows the author a text that they have just saved before the server has rendered it: their own browser renders it, in
 * the same way.
 */
export function useSavedText(kind: ContentKind, isPage: boolean) {
  const [saved, setSaved] = useState<{ id: string; html: string } | null>(null);
  const render = useCallback(
    async (row: ContentRow) => {
      setSaved(null);
      const { renderSaved } = await import("./editor/render-saved.ts");
      const html = await renderSaved(kind, row, isPage);
      if (html !== null) setSaved({ id: row.id, html });
    },
    [kind, isPage],
  );
  const withSavedText = useCallback(
    <Card extends CardData>(card: Card): Card =>
      saved?.id === card.item.id && isPending(card.html) ? { ...card, html: saved.html } : card,
    [saved],
  );
  return { render, withSavedText };
}

/** The row of a saved item, as far as rendering its text needs it. */
export const savedRow = (id: string, columns: object): ContentRow => ({
  title: "",
  created_at: "",
  ...columns,
  id,
});
