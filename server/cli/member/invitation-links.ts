import { createLink, listLinks } from "../../admin/invitation-links.ts";
import { UsageError } from "../../config/operator-error.ts";
import { printRows } from "../printable.ts";
import type { Invocation } from "../run-command.ts";

/** Prints only the link, so that a script can use it. */
export async function makeLink({ context, texts, print }: Invocation): Promise<void> {
  const wholeNumber = (name: string) => {
    const typed = texts[name] ?? "";
    if (/^\d{1,4}$/.test(typed)) return Number(typed);
    throw new UsageError(`"invite-link" needs --${name} with a whole number`);
  };
  const domains = texts["domains"] ?? "";
  const { link } = await createLink(context, {
    people: wholeNumber("people"),
    days: wholeNumber("days"),
    domains,
  });
  if (link !== undefined) print(link);
}

export async function showLinks({ site, ...invocation }: Invocation): Promise<void> {
  const links = await listLinks(site);
  const header = ["ID", "joined", "last day", "domains"];
  const empty = "There is no open invitation link.";
  printRows(invocation, header, links, empty, ({ id, used, people, expires_at, domains }) => [
    id,
    `${used} of ${people}`,
    expires_at.slice(0, 10),
    domains.join(", "),
  ]);
}
