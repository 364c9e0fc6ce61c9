import { authorName } from "../../../common/data/author.ts";
import { columnOf, findItem, newest, ownerOf } from "../../../common/data/content-reads.ts";
import { describeHtml, toDescription } from "../../../common/data/description.ts";
import { withAuthors } from "../../../common/data/people-reads.ts";
import type { Authored, ContentRow, LinkedAuthor, Profile } from "../../../common/data/schema.ts";
import { type KindDefinition, renderedColumn, renderJob } from "../../../common/kinds/kind-definition.ts";
import type { PageServices } from "../../../common/page-services.ts";
import type { CardData } from "../content-kind.ts";

const MORE_ITEMS = 3;

export type ItemAuthor = LinkedAuthor &
  Pick<Profile, "avatar_url" | "current_title" | "company" | "years_experience">;

export type ItemData = NonNullable<Awaited<ReturnType<typeof loadItem>>>;

/** `segment` is the last part of the item's address. */
export async function loadItem(kind: KindDefinition, segment: string, context: PageServices) {
  const { data } = context;
  const row = await findItem<Authored<ContentRow, ItemAuthor>>(data, kind.table, segment);
  if (!row) return null;
  const byAuthor = { columns: ["id", "title"], limit: MORE_ITEMS + 1, ownerId: ownerOf(kind, row) };
  const [[rowWithSlug], authorsItems, html] = await Promise.all([
    withAuthors<ContentRow, ItemAuthor>(data, kind, [row]),
    newest<{ id: string; title: string }>(data, kind, byAuthor),
    renderItem(kind, row, context.render),
  ]);
  const item = rowWithSlug ?? row;
  const more = authorsItems.filter((other) => other.id !== item.id).slice(0, MORE_ITEMS);
  const rendered = renderedColumn(kind);
  // Don't send the source text, because the page shows only its HTML.
  const card: CardData & { item: typeof item } = {
    item: { ...item, ...(rendered && { [rendered]: undefined }) },
    ...(html !== undefined && { html }),
  };
  return { card, description: descriptionOf(kind, item, html), more };
}

async function renderItem(
  kind: KindDefinition,
  item: ContentRow,
  render: PageServices["render"],
): Promise<string | undefined> {
  const job = renderJob(kind, item, true);
  if (!job) return undefined;
  const [html = ""] = await render([job]);
  return html;
}

function descriptionOf(
  { summaryColumn }: KindDefinition,
  item: Authored<ContentRow>,
  html: string | undefined,
): string {
  const summary = summaryColumn && columnOf(item, summaryColumn);
  const text = summaryColumn ? toDescription(String(summary ?? "")) : describeHtml(html ?? "");
  return text || `${item.title}, by ${authorName(item.profiles)}`;
}
