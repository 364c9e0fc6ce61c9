import { itemPath, personPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import { findItem } from "../../common/data/content-reads.ts";
import { findPerson } from "../../common/data/people-reads.ts";
import type { Reported } from "../../common/data/report-rules.ts";
import { KINDS, kindSlug } from "../../common/kinds/index.ts";
import type { PageServices } from "../../common/page-services.ts";

export interface ReportedPage extends Reported {
  /** The path of the page with what is reported. */
  path: string;
  name: string;
  /** Such as `article`. */
  noun: string;
  /** Null if a person is reported. */
  author: string | null;
}

/** Returns what `/report/{list}/{id}` reports. Returns null if it doesn't exist, or if the site accepts no reports. */
export async function loadReported(
  { list, id }: { list: string; id: string },
  { data, site }: PageServices,
): Promise<ReportedPage | null> {
  if (!site.acceptsReports) return null;
  if (list === "profile") {
    const person = await findPerson(data, id);
    if (!person) return null;
    const path = personPath(person.slug);
    return { table: "profiles", id: person.id, path, name: authorName(person), noun: "person", author: null };
  }
  const kind = KINDS.find((each) => kindSlug(each) === list);
  const item = kind && (await findItem(data, kind.table, id));
  if (!item) return null;
  return {
    table: kind.table,
    id: item.id,
    path: itemPath(kind, item),
    name: item.title,
    noun: kind.itemName.toLowerCase(),
    author: authorName(item.profiles),
  };
}
