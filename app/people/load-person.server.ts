import { personPath } from "../../common/data/addresses.ts";
import { type ItemTitle, newestTitles } from "../../common/data/content-reads.ts";
import { findPerson, skillsByProficiency } from "../../common/data/people-reads.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { PageServices } from "../../common/page-services.ts";
import { qrCode } from "./qr-code.server.ts";

export type PersonData = NonNullable<Awaited<ReturnType<typeof loadPerson>>>;

export async function loadPerson(nameOrId: string, { data, site }: PageServices) {
  const person = await findPerson(data, nameOrId);
  if (!person) return null;
  /** The newest items of each kind, by table. */
  const titles: Record<string, ItemTitle[]> = {};
  const lists = KINDS.map(async (kind) => {
    const addressColumn = Object.entries(kind.columns).find(([, { type }]) => type === "address")?.[0];
    titles[kind.table] = await newestTitles(data, kind, person.id, addressColumn);
  });
  const [skills] = await Promise.all([skillsByProficiency(data, person.id), ...lists]);
  return { person, skills, titles, code: qrCode(site.url + personPath(person.slug)) };
}
