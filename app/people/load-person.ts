import { newestEntries } from "../data/content-reads.ts";
import { findPerson, skillsByProficiency } from "../data/people-reads.ts";
import type { PageContext } from "../site.ts";

export type PersonData = NonNullable<Awaited<ReturnType<typeof loadPerson>>>;

export async function loadPerson(nameOrId: string, { data }: PageContext) {
  const person = await findPerson(data, nameOrId);
  if (!person) return null;
  const [skills, articles, links, samples] = await Promise.all([
    skillsByProficiency(data, person.id),
    newestEntries(data, "articles", person.id),
    newestEntries(data, "useful_links", person.id),
    newestEntries(data, "code_samples", person.id),
  ]);
  return { person, skills, articles, links, samples };
}
