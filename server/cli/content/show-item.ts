import { itemPath } from "../../../common/data/addresses.ts";
import { columnOf, ownerOf } from "../../../common/data/content-reads.ts";
import { kindSlug } from "../../../common/kinds/index.ts";
import { renderedColumn } from "../../../common/kinds/kind-definition.ts";
import { requireItem } from "../../admin/content-actions.ts";
import { printableLine, printableText } from "../printable.ts";
import type { Invocation } from "../run-command.ts";

export async function showItem({ site, id, settings, print }: Invocation): Promise<void> {
  const { kind, row } = await requireItem(site, id);
  const { data } = await site.admin.getUserById(ownerOf(kind, row));
  const textColumn = renderedColumn(kind);
  const shown = {
    type: kindSlug(kind),
    address: settings.siteUrl + itemPath(kind, row),
    author_email: data.user?.email ?? "",
    ...row,
  };
  for (const [name, value] of Object.entries(shown)) {
    if (name !== textColumn) print(`${name}: ${printableLine(String(value ?? ""))}`);
  }
  if (textColumn) print(`\n${printableText(String(columnOf(row, textColumn)))}`);
}
