import { LISTS } from "../../data/addresses.ts";
import type { ContentRow, ContentTable } from "../../data/content-reads.ts";
import type { ContentKind } from "../kind.ts";
import { articles } from "./article-kind.tsx";
import { usefulLinks } from "./link-kind.tsx";
import { sampleCode } from "./sample-kind.tsx";

type Kind = ContentKind<ContentRow, { title: string }>;

/** Each deals with rows of its own type alone, which whoever picks one by its table or address does not know. */
export const KINDS = {
  articles,
  useful_links: usefulLinks,
  code_samples: sampleCode,
} as unknown as Record<ContentTable, Kind>;

/** The kind of a list's or an item's page. The router takes addresses in any case. */
export function kindAt({ pathname }: { pathname: string }): Kind {
  const path = pathname.toLowerCase();
  const kind = Object.values(KINDS).find(({ table }) => path.startsWith(LISTS[table].path));
  if (!kind) throw new Error(`No kind of content is at ${pathname}`);
  return kind;
}
