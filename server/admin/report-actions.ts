import * as v from "valibot";
import type { ActionResult } from "../../common/data/operators.ts";
import type { Reported } from "../../common/data/report-rules.ts";
import { KINDS, kindSlug } from "../../common/kinds/index.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { AdminContext } from "./admin-context.ts";
import { removeItem, unpublishItem } from "./content-actions.ts";
import { suspend } from "./member-actions.ts";
import { findMemberById } from "./members.ts";
import { endReports } from "./reports.ts";

const PROFILES = "profiles";
const TABLES = [PROFILES, ...KINDS.map(({ table }) => table)];

/** The body of an action on the reports about an item or a person. `for` is the duration of a suspension. */
export const REPORTED_BODY = v.object({
  table: v.picklist(TABLES, `The table must be one of ${TABLES.join(", ")}`),
  id: v.pipe(v.string(), v.uuid("The id is invalid")),
  for: v.optional(v.string()),
});

export const REPORTS_CURSOR = v.object({
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  latest: v.pipe(v.string(), v.isoTimestamp()),
  id: v.pipe(v.string(), v.uuid()),
});

export type ReportAction = (
  context: AdminContext,
  reported: v.InferOutput<typeof REPORTED_BODY>,
) => Promise<ActionResult>;

/** Unpublishes the item, and ends its group. */
export const unpublishReported: ReportAction = async (context, reported) => {
  const done = await unpublishItem(context, itemReference(reported));
  await endReports(context.site, reported);
  return done;
};

/** Removes the item, and with it the group. */
export const removeReported: ReportAction = async (context, reported) => {
  const done = await removeItem(context, itemReference(reported));
  await endReports(context.site, reported);
  return done;
};

/** Suspends the person, and ends their group. */
export const suspendReported: ReportAction = async (context, reported) => {
  if (reported.table !== PROFILES) throw new OperatorError("Only a person can be suspended.");
  const member = await findMemberById(context.site, reported.id);
  const done = await suspend(context, member, reported.for);
  await endReports(context.site, reported);
  return done;
};

/** Ends the group without any other change. */
export const dismissReports: ReportAction = async ({ site, record }, { table, id }) => {
  const count = await endReports(site, { table, id });
  if (count === 0) throw new OperatorError("There are no more reports about this.");
  const name = await nameOf(site, { table, id });
  await record({
    action: "reports.dismissed",
    target: { type: table, id, name },
    details: { reports: count },
  });
  const reports = count === 1 ? "report" : "reports";
  return { text: `${count} ${reports} about ${table === PROFILES ? name : `"${name}"`} dismissed.` };
};

function itemReference({ table, id }: Reported): string {
  const kind = KINDS.find((each) => each.table === table);
  if (!kind) throw new OperatorError("A person can't be unpublished or removed here: use suspend.");
  return `${kindSlug(kind)}/${id}`;
}

async function nameOf({ data }: AdminContext["site"], { table, id }: Reported): Promise<string> {
  const columns = table === PROFILES ? "full_name,username" : "title";
  const named = data.from(table).select<string, Record<string, string | null>>(columns);
  const [row] = (await named.eq("id", id).throwOnError()).data;
  return row?.["title"] || row?.["full_name"] || row?.["username"] || id;
}
