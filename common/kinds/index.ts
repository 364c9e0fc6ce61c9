import { articles } from "./articles.ts";
import type { KindDefinition } from "./kind-definition.ts";
import { sampleCode } from "./sample-code.ts";
import { usefulLinks } from "./useful-links.ts";

const kinds = [articles, usefulLinks, sampleCode] as const;

/** All kinds of content, in navigation order. */
export const KINDS: readonly KindDefinition[] = kinds;

/** The tables of all kinds of content. */
export type KindTable = (typeof kinds)[number]["table"];

/** Returns the kind of the list or item at a path, or undefined for other paths. */
export function kindAtPath(pathname: string): KindDefinition | undefined {
  const first = `/${pathname.split("/")[1]}`;
  return KINDS.find(({ path }) => path === first);
}

/** Returns the kind that is stored in a table. Throws if there is none. */
export function kindOfTable(table: string): KindDefinition {
  const kind = KINDS.find((kind) => kind.table === table);
  if (!kind) throw new Error(`No kind of content uses the table ${table}`);
  return kind;
}

/** The kind's path without its leading slash, e.g. "articles". */
export const kindSlug = ({ path }: Pick<KindDefinition, "path">): string => path.slice(1);
