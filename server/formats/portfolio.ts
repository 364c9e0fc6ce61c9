import type { DataClient } from "../../common/data/client.ts";
import { newest } from "../../common/data/content-reads.ts";
import { findPerson, skillsByProficiency } from "../../common/data/people-reads.ts";
import type { ContentRow } from "../../common/data/schema.ts";
import { articles } from "../../common/kinds/articles.ts";
import { type CodeSample, sampleCode } from "../../common/kinds/sample-code.ts";
import { safeAddress } from "../../common/safe-address.ts";

const MAX_ITEMS = 50;

export type Portfolio = NonNullable<Awaited<ReturnType<typeof readPortfolio>>>;
type Sample = Pick<CodeSample, "id" | "title" | "description" | "language" | "created_at">;

/** Reads what a person's JSON Resume and vCard contain. Returns null if no person's page has this slug. */
export async function readPortfolio(data: DataClient, slug: string) {
  const person = await findPerson(data, slug);
  // `findPerson` also finds a person by id, but the files of a person whose slug is their username exist only there.
  if (person?.slug !== slug) return null;
  const own = { limit: MAX_ITEMS, ownerId: person.id };
  const [skills, published, samples] = await Promise.all([
    skillsByProficiency(data, person.id),
    newest<ContentRow>(data, articles, { columns: "id,title,created_at", ...own }),
    newest<Sample>(data, sampleCode, { columns: "id,title,description,language,created_at", ...own }),
  ]);
  return { person, skills, articles: published, samples };
}

/**
 * Resolves `address` against `base`. Returns undefined if there is no address, if it isn't valid, or if its scheme
 * is not allowed (docs/specification.txt, §2, "Markdown rendering").
 */
export function absoluteUrl(address: string | null, base: string): string | undefined {
  return (address && safeAddress(address) && URL.parse(address, base)?.href) || undefined;
}
