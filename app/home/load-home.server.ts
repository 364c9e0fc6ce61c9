import { columnOf, type ItemTitle, newest, newestTitles } from "../../common/data/content-reads.ts";
import { featuredPeople, type Professional, withAuthors } from "../../common/data/people-reads.ts";
import type { DataReader } from "../../common/data/reader.ts";
import type { Authored, ContentRow, LinkedAuthor } from "../../common/data/schema.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import type { PageServices } from "../../common/page-services.ts";
import { excerpt, firstCharacters } from "./excerpt.ts";

export interface Excerpt {
  id: string;
  title: string;
  created_at: string;
  profiles: LinkedAuthor;
  excerpt: string;
}

export interface HomeData {
  professionals: Professional[];
  /** The newest items of the kinds that have excerpts, by table. */
  excerpts: Record<string, Excerpt[]>;
  /** The newest items of the kinds that have no excerpts, by table. */
  titles: Record<string, ItemTitle[]>;
  /** Whether the site has nothing to show yet. False if a read failed. */
  isEmpty: boolean;
}

const EXCERPTS = 3;
/** A card shows only four lines of a bio, which are shorter than this. The page doesn't contain the rest of the bio. */
const BIO_CHARACTERS = 1_000;

const hasExcerpt = ({ excerptColumn }: KindDefinition) => Boolean(excerptColumn);

/**
 * Reads the home page's data (specification §7, calls 4 to 8, and §9). If a read fails, its panel stays empty, and the
 * error is logged (§8).
 */
export async function loadHome({ data, logFailure }: PageServices): Promise<HomeData> {
  let hasFailed = false;
  const readOrLog = <Row>(name: string, read: Promise<Row[]>): Promise<Row[]> =>
    read.catch((error: unknown) => {
      hasFailed = true;
      logFailure(`home.${name}`, error);
      return [];
    });
  // Set all keys first: the reads finish in any order, but equal home pages must have equal bytes and ETags.
  const home: HomeData = {
    professionals: [],
    excerpts: Object.fromEntries(KINDS.filter(hasExcerpt).map(({ table }) => [table, []])),
    titles: Object.fromEntries(KINDS.filter((kind) => !hasExcerpt(kind)).map(({ table }) => [table, []])),
    isEmpty: false,
  };
  const panels = KINDS.map(async (kind) => {
    const { table } = kind;
    if (hasExcerpt(kind)) home.excerpts[table] = await readOrLog(table, newestExcerpts(data, kind));
    else home.titles[table] = await readOrLog(table, newestTitles(data, kind));
  });
  const professionals = await readOrLog("professionals", featuredPeople(data));
  home.professionals = professionals.map((person) => ({
    ...person,
    bio: person.bio && firstCharacters(person.bio, BIO_CHARACTERS),
  }));
  await Promise.all(panels);
  const panelRows = [home.professionals, ...Object.values(home.excerpts), ...Object.values(home.titles)];
  home.isEmpty = !hasFailed && panelRows.every(({ length }) => length === 0);
  return home;
}

async function newestExcerpts(data: DataReader, kind: KindDefinition): Promise<Excerpt[]> {
  const { ownerColumn, excerptColumn = "" } = kind;
  const columns = ["id", ownerColumn, "title", excerptColumn, "created_at"];
  const rows = await newest<Authored<ContentRow>>(data, kind, { columns, withAuthor: true, limit: EXCERPTS });
  return (await withAuthors(data, kind, rows)).map((row) => {
    const { id, title, created_at, profiles } = row;
    return { id, title, created_at, profiles, excerpt: excerpt(String(columnOf(row, excerptColumn))) };
  });
}
