import type { PageContext } from "../site.ts";
import type { KindDefinition } from "./kinds/kind-definition.ts";
import { readPage } from "./list/list.server.ts";
import { EVERYTHING } from "./search/search.ts";

/** So many characters of HTML are rendered ahead of each list: of its usual texts, all of two thousand items. */
const AHEAD_CHARACTERS = 4_000_000;
/** Visitors come first: what is rendered ahead rests for so many times as long as it worked. */
const REST = 3;

export async function renderAhead(
  kind: KindDefinition,
  context: PageContext,
  end: AbortSignal,
): Promise<void> {
  let after: string | null = null;
  let characters = 0;
  while (kind.rendered && characters < AHEAD_CHARACTERS && !end.aborted) {
    const begin = performance.now();
    const { cards, next } = await readPage(kind, { search: EVERYTHING, after }, context);
    for (const { html = "" } of cards) characters += html.length;
    if (!next) return;
    after = next;
    await new Promise((resolve) => setTimeout(resolve, REST * (performance.now() - begin)));
  }
}
