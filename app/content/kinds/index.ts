import type { ContentTable } from "../../data/content-reads.ts";
import type { ListKind } from "../kind.ts";
import { articles } from "./article-kind.tsx";
import { usefulLinks } from "./link-kind.tsx";
import { sampleCode } from "./sample-kind.tsx";

export const KINDS: Record<ContentTable, ListKind> = {
  articles,
  useful_links: usefulLinks,
  code_samples: sampleCode,
};
