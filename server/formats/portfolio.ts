import { newest } from "../../common/data/content-reads.ts";
import { findPerson, skillsByProficiency } from "../../common/data/people-reads.ts";
import type { DataReader } from "../../common/data/reader.ts";
import type { ContentRow } from "../../common/data/schema.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { safeAddress } from "../../common/safe-address.ts";

const MAX_ITEMS = 50;

export type Portfolio = NonNullable<Awaited<ReturnType<typeof readPortfolio>>>;

/** The items of a kind that a person's JSON Resume lists. */
interface ResumeItems {
  kind: KindDefinition;
  rows: ContentRow[];
}

/** Reads what a person's JSON Resume and vCard contain. Returns null if no person's page has this slug. */
export async function readPortfolio(data: DataReader, slug: string) {
  const person = await findPerson(data, slug);
  // `findPerson` accepts the id too, but a person's files have only one URL: the slug's.
  if (person?.slug !== slug) return null;
  const [skills, ...items] = await Promise.all([
    skillsByProficiency(data, person.id),
    ...KINDS.filter(({ resume }) => resume).map(async (kind): Promise<ResumeItems> => {
      const columns = ["id", "created_at", ...shortColumns(kind)];
      return { kind, rows: await newest(data, kind, { columns, limit: MAX_ITEMS, ownerId: person.id }) };
    }),
  ]);
  return { person, skills, items };
}

/** The columns without whole documents, which would take long to read. */
const shortColumns = ({ columns }: KindDefinition) =>
  Object.keys(columns).filter((name) => !/^(markdown|code)$/.test(columns[name]?.type ?? ""));

/**
 * Resolves `address` against `base`. Returns undefined if there is no address, if it isn't valid, or if its scheme
 * is not allowed (docs/specification.txt, §2, "Markdown rendering").
 */
export function absoluteUrl(address: string | null, base: string): string | undefined {
  return (address && safeAddress(address) && URL.parse(address, base)?.href) || undefined;
}
