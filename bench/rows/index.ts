import { rungs } from "../lab/rungs.ts";
import type { Row } from "../row.ts";
import { api } from "./api.ts";
import { bytes } from "./bytes.ts";
import { cards } from "./cards.ts";
import { firstPaint } from "./first-paint.ts";
import { growth } from "./growth.ts";
import { javascript } from "./javascript.ts";
import { list } from "./list.ts";
import { member } from "./member.ts";
import { memory } from "./memory.ts";
import { pages } from "./pages.ts";
import { search } from "./search.ts";
import { start } from "./start.ts";

/** In the order of docs/performance.md. */
export const ROWS: readonly Row[] = [
  firstPaint,
  javascript,
  bytes,
  search,
  list,
  member,
  pages,
  cards,
  api,
  start,
  memory,
  growth,
  rungs,
];
