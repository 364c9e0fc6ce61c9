import type { ContentRow, ContentTable } from "../../data/content-reads.ts";
import type { ListKind } from "../kind.ts";
import { articles } from "./articles.tsx";
import { sampleCode } from "./sample-code.tsx";
import { usefulLinks } from "./useful-links.tsx";

export const KINDS = {
  articles,
  useful_links: usefulLinks,
  code_samples: sampleCode,
} as unknown as Record<ContentTable, ListKind<ContentRow>>;
