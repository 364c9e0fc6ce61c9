import { useCallback, useEffect, useEffectEvent, useState } from "react";
import type { ContentRow } from "../../common/data/schema.ts";
import { PENDING_TEXT } from "../../common/page-services.ts";
import type { CardData, ContentKind } from "./content-kind.ts";

/** Whether the server has sent the card's text without formatting, because it is still being rendered. */
export const isPending = (html: string | undefined) => html?.startsWith(PENDING_TEXT) === true;

/** Reads the page again until its texts are formatted. Another save starts this again. */
export function usePendingTexts(cards: readonly Pick<CardData, "html">[], reload: () => Promise<void>): void {
  const pending = cards.flatMap(({ html }) => (isPending(html) ? [html?.length] : [])).join();
  const read = useEffectEvent(() => reload());
  useEffect(() => {
    if (pending === "") return;
    const abort = new AbortController();
    import("./read-until-formatted.ts").then(
      ({ readUntilFormatted }) => readUntilFormatted(() => read(), abort.signal),
      // Readers then see the formatted text when they open the page again.
      () => undefined,
    );
    return () => abort.abort();
  }, [pending]);
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
