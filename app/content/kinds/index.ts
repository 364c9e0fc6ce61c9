import { LISTS } from "../../data/addresses.ts";
import type { ContentTable } from "../../data/content-reads.ts";
import type { ContentKind } from "../kind.ts";
import { articles } from "./article-kind.tsx";
import { usefulLinks } from "./link-kind.tsx";
import { sampleCode } from "./sample-kind.tsx";

export const KINDS: Record<ContentTable, ContentKind> = {
  articles,
  useful_links: usefulLinks,
  code_samples: sampleCode,
};

/** The kind of a list's or an item's page. The router takes addresses in any case. */
export function kindAt({ pathname }: { pathname: string }): ContentKind {
  const path = pathname.toLowerCase();
  const kind = Object.values(KINDS).find(({ table }) => path.startsWith(LISTS[table].path));
  if (!kind) throw new Error(`No kind of content is at ${pathname}`);
  return kind;
}
