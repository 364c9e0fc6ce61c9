import { type Context, type Handler, Hono } from "hono";
import * as v from "valibot";
import { type ActionResult, type ListedMember, MEMBER_SORTS } from "../../common/data/operators.ts";
import { byId, findSlugs } from "../../common/data/people-reads.ts";
import { readerOf } from "../../common/data/postgrest-reader.ts";
import { handleErrors } from "../api/api-errors.ts";
import { memberKey } from "../api/caller.ts";
import type { PipelineVariables, Protect } from "../api/pipeline.ts";
import type { Body } from "../auth/auth-env.ts";
import { GoTrueError, toGoTrueError } from "../auth/auth-error.ts";
import { json } from "../auth/json-body.ts";
import type { SendEmail } from "../auth/send-email.ts";
import { LIMITS } from "../config/limits.ts";
import { OperatorError, TemporaryError, UsageError } from "../config/operator-error.ts";
import type { Settings } from "../config/settings.ts";
import { limitComplete } from "../http/limit-concurrency.ts";
import type { Log } from "../http/log.ts";

import { type AdminAccess, createAdminClient } from "./admin-client.ts";
import type { AdminContext } from "./admin-context.ts";
import { CONTENT_TYPES, listContent } from "./content.ts";
import { publishItem, removeItem, unpublishItem } from "./content-actions.ts";
import { closeLinkWith, createLinkFrom, readLinks } from "./invitation-link-routes.ts";
import { logAsCsv } from "./log-csv.ts";
import {
  clearProfile,
  contentAmount,
  inviteMember,
  removeContent,
  removeMember,
  retire,
  sendPasswordLink,
  setFeatured,
  suspend,
  unretire,
  unsuspend,
} from "./member-actions.ts";
import { endOfSuspension, findMemberById, listMembers, MEMBER_STATES, resolveMember } from "./members.ts";
import { MissingError } from "./missing-error.ts";
import { readNewMember } from "./new-members.ts";
import type { Operator, Operators } from "./operator.ts";
import { lineOf, readLog, storeEntry } from "./operator-log.ts";
import {
  dismissReports,
  REPORTED_BODY,
  REPORTS_CURSOR,
  type ReportAction,
  removeReported,
  suspendReported,
  unpublishReported,
} from "./report-actions.ts";
import { listReports } from "./reports.ts";

export interface AdminDependencies {
  protect: Protect;
  operators: Operators;
  /** The limits' key for the client's network address. */
  addressOf(c: Context): string;
  /** How to reach the API with the service key. Throws OperatorError if a setting is missing. */
  adminAccess(): Promise<AdminAccess>;
  settings: AdminContext["settings"] & Pick<Settings, "acceptsReports" | "operatorsNeedPasskey">;
  sendEmail: SendEmail | undefined;
  log: Log;
  /** Returns what the page's region "State" shows. */
  readState(context: AdminContext): Promise<object>;
  /** Called after an action, because cached pages may then be out of date. */
  onWrite(): void;
}

interface AdminEnv {
  Variables: PipelineVariables & { operator: Operator; body: Body };
}

type AdminHandler = Handler<AdminEnv>;
type Action = (context: AdminContext, c: Context<AdminEnv>) => Promise<object>;
type MemberAction = (context: AdminContext, member: ListedMember, body: Body) => Promise<ActionResult>;

/** A change needs a sign-in that is at most this old, so that a stolen or unattended browser can't make any. */
const MAX_SIGN_IN_AGE_MS = 3_600_000;
const MAX_LINES = 20;
const MAX_PAGE_SIZE = 50;

/**
 * Serves `/admin/v1`, the data of the operators' page (contract, "Operating the site in the browser"). Runs the same
 * actions as the commands, with the service key, which never leaves the server.
 */
export function createAdmin(dependencies: AdminDependencies): Hono<AdminEnv> {
  const { protect, operators, addressOf, settings, log, onWrite, readState } = dependencies;
  const admin = new Hono<AdminEnv>();

  const identify = (c: Context<AdminEnv>) => operators.identify(c.req.raw.headers);

  async function authorize(c: Context<AdminEnv>): Promise<void> {
    const operator = await operators.find(c.var.caller, c.req.raw.headers);
    if (settings.operatorsNeedPasskey && !operator.usedPasskey) {
      throw new GoTrueError(403, "passkey_required", "Operators of this site sign in with a passkey");
    }
    c.set("operator", operator);
  }

  async function authorizeChange(c: Context<AdminEnv>): Promise<void> {
    await authorize(c);
    requireRecentSignIn(c.var.operator);
    json.parse(c);
  }

  const respond =
    (action: Action): AdminHandler =>
    async (c) =>
      c.json(await action(await contextOf(dependencies, c), c));
  const change = (action: Action): AdminHandler =>
    respond(async (context, c) => {
      const result = await action(context, c);
      onWrite();
      return result;
    });
  const onMember = (act: MemberAction) =>
    change(async (context, c) => {
      const member = await findMemberById(context.site, c.req.param("id") ?? "");
      return act(context, member, c.var.body);
    });
  const onItem = (act: (context: AdminContext, id: string) => Promise<ActionResult>) =>
    change(async (context, c) => act(context, parse(c.var.body, ITEM).id));

  admin.onError(handleErrors({ log, event: "admin.failed", format }));
  admin.use(async (c, next) => {
    c.header("Cache-Control", "no-store");
    await next();
  });

  const limiter = limitComplete<AdminEnv>(
    LIMITS.concurrency.operators,
    (c) => memberKey(c.var.caller) ?? addressOf(c),
    LIMITS.responses.others,
  );
  const body = { maxBytes: json.maxBytes };
  const protectRead = protect<AdminEnv>({ identify, authorize, limiter });
  const protectChange = protect<AdminEnv>({ identify, authorize: authorizeChange, body, limiter });

  admin.get("/session", protectRead, (c) =>
    c.json({ email: c.var.operator.email, needsPasskey: settings.operatorsNeedPasskey }),
  );
  admin.get("/state", protectRead, respond(readState));
  admin.get("/log", protectRead, respond(readLogPage));
  admin.get("/log.csv", protectRead, async (c) => downloadLog(await contextOf(dependencies, c), c));

  admin.get("/members", protectRead, respond(readMembers));
  admin.get("/members/:id/content", protectRead, respond(countContent));
  admin.post("/members/:id/suspend", protectChange, onMember(suspendFor));
  admin.post("/members/:id/unsuspend", protectChange, onMember(unsuspend));
  admin.post("/members/:id/retire", protectChange, onMember(retire));
  admin.post("/members/:id/unretire", protectChange, onMember(unretire));
  admin.post("/members/:id/password-link", protectChange, onMember(sendPasswordLink));
  admin.post("/members/:id/feature", protectChange, onMember(feature));
  admin.post("/members/:id/unfeature", protectChange, onMember(unfeature));
  admin.post("/members/:id/clear-profile", protectChange, onMember(clearProfile));
  admin.post("/members/:id/remove-content", protectChange, onMember(removeContent));
  admin.post("/members/:id/remove", protectChange, onMember(removeConfirmed));
  admin.post("/invitations", protectChange, change(invite));

  admin.get("/invitation-links", protectRead, respond(readLinks));
  admin.post(
    "/invitation-links",
    protectChange,
    change((context, c) => createLinkFrom(context, c.var.body)),
  );
  admin.post(
    "/invitation-links/:id/close",
    protectChange,
    change((context, c) => closeLinkWith(context, c.req.param("id") ?? "")),
  );

  admin.get("/content", protectRead, respond(readContent));
  admin.post("/content/unpublish", protectChange, onItem(unpublishItem));
  admin.post("/content/publish", protectChange, onItem(publishItem));
  admin.post("/content/remove", protectChange, onItem(removeItem));

  if (settings.acceptsReports) {
    const onReported = (act: ReportAction) =>
      change((context, c) => act(context, parse(c.var.body, REPORTED_BODY)));
    admin.get("/reports", protectRead, respond(readReports));
    admin.post("/reports/unpublish", protectChange, onReported(unpublishReported));
    admin.post("/reports/remove", protectChange, onReported(removeReported));
    admin.post("/reports/suspend", protectChange, onReported(suspendReported));
    admin.post("/reports/dismiss", protectChange, onReported(dismissReports));
  }

  admin.get("*", protectRead, refuseUnknown);
  admin.all("*", protectChange, refuseUnknown);
  return admin;
}

const refuseUnknown: AdminHandler = () => {
  throw new GoTrueError(404, "not_found", "This endpoint is not available");
};

const suspendFor: MemberAction = (context, member, body) =>
  suspend(context, member, parse(body, DURATION).for);
const feature: MemberAction = (context, member) => setFeatured(context, member, true);
const unfeature: MemberAction = (context, member) => setFeatured(context, member, false);

const removeConfirmed: MemberAction = async (context, member, body) => {
  if (parse(body, CONFIRMATION).email.trim().toLowerCase() === member.email) {
    return removeMember(context, member);
  }
  throw new OperatorError("The typed address is not this member's.");
};

const readMembers: Action = async ({ site }, c) => {
  const { q, state, sort, after, size } = parse(c.req.query(), MEMBERS_QUERY);
  const cursor = parseCursor(MEMBER_CURSOR, after);
  const members = await listMembers(site, { search: q, state, sort, cursor, size });
  const slugOf = await findSlugs(readerOf(site.data), members).catch(() => byId);
  const rows = members.map((member) => ({ ...describe(member), slug: slugOf(member) }));
  return toPage(rows, size);
};

const countContent: Action = (context, c) => contentAmount(context, c.req.param("id") ?? "");

const readContent: Action = async ({ site }, c) => {
  const { q, type, after, size } = parse(c.req.query(), CONTENT_QUERY);
  const cursor = parseCursor(CONTENT_CURSOR, after);
  // A search such as @ada lists that member's content.
  const author = q?.startsWith("@") ? await resolveMember(site, q.trim()) : undefined;
  const query = { search: author ? undefined : q, authorId: author?.id, type, cursor };
  return toPage(await listContent(site, { ...query, size }), size);
};

const readLogPage: Action = async ({ site }, c) => {
  const { q, after, size } = parse(c.req.query(), LOG_QUERY);
  const cursor = parseCursor(LOG_CURSOR, after);
  return toPage(await readLog(site, { search: q, cursor, size }), size);
};

/** Each group has up to 20 reports of 2,000 characters. */
const GROUPS = 20;

const readReports: Action = async ({ site }, c) => {
  const cursor = parseCursor(REPORTS_CURSOR, c.req.query("after"));
  const rows = await listReports(site, cursor, GROUPS);
  return { rows, isComplete: rows.length < GROUPS };
};

async function downloadLog({ site }: AdminContext, c: Context<AdminEnv>): Promise<Response> {
  const { q } = parse(c.req.query(), LOG_QUERY);
  // The response is a stream, so it keeps its slot until it has been sent.
  c.set("releaseSlot", () => undefined);
  return c.body(await logAsCsv(site, q), 200, {
    "Content-Type": "text/csv; charset=utf-8; header=present",
    "Content-Disposition": 'attachment; filename="operators-log.csv"',
  });
}

const toPage = (rows: object[], size: number) => ({ rows, isComplete: rows.length < size });

const invite: Action = async (context, c) => {
  const { lines } = parse(c.var.body, INVITATIONS);
  const results = [];
  for (const line of lines) results.push(await inviteLine(context, line));
  return { results };
};

function requireRecentSignIn({ signedInAt }: Operator): void {
  if (Date.now() - signedInAt.getTime() <= MAX_SIGN_IN_AGE_MS) return;
  const message = "Your last sign-in was more than an hour ago: sign in again";
  throw new GoTrueError(403, "reauthentication_needed", message);
}

async function contextOf(dependencies: AdminDependencies, c: Context<AdminEnv>): Promise<AdminContext> {
  const { operator, requestId } = c.var as AdminEnv["Variables"] & { requestId?: string };
  const site = createAdminClient(await dependencies.adminAccess());
  const { settings, sendEmail, log } = dependencies;
  return {
    site,
    settings,
    sendEmail,
    async record(entry) {
      log.info({ requestId, operator: operator.email, ...lineOf(entry) }, entry.action);
      const problem = await storeEntry(site, { id: operator.id, name: operator.email }, entry);
      if (problem !== undefined) log.error({ requestId, reason: problem }, "operator_log.failed");
    },
  };
}

async function inviteLine(
  context: AdminContext,
  line: string,
): Promise<Partial<ActionResult> & { problem?: string }> {
  try {
    return await inviteMember(context, readNewMember(line));
  } catch (error) {
    if (error instanceof OperatorError) return { problem: problemOf(error) };
    throw error;
  }
}

const describe = (member: ListedMember) => ({ ...member, suspended_until: endOfSuspension(member) });

const DURATION = v.object({ for: v.optional(v.string()) });
const CONFIRMATION = v.object({ email: v.string() });
const ITEM = v.object({ id: v.string() });
const INVITATIONS = v.object({
  lines: v.pipe(v.array(v.pipe(v.string(), v.maxLength(2_000))), v.maxLength(MAX_LINES)),
});

/** Like visitors' searches, an operator's are cut at this length, because they become part of a URL. */
const MAX_SEARCH_LENGTH = 300;
// PostgreSQL rejects NUL.
const searched = v.optional(
  v.pipe(
    v.string(),
    v.excludes("\0", "The searched text contains the character NUL"),
    v.transform((text) => text.slice(0, MAX_SEARCH_LENGTH).toWellFormed()),
  ),
);
const after = v.optional(v.string());
const size = v.optional(
  v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(MAX_PAGE_SIZE)),
  `${MAX_PAGE_SIZE}`,
);
const MEMBERS_QUERY = v.object({
  q: searched,
  state: v.optional(v.picklist(MEMBER_STATES, `The state must be one of ${MEMBER_STATES.join(", ")}`)),
  sort: v.optional(v.picklist(MEMBER_SORTS, `The sort must be one of ${MEMBER_SORTS.join(", ")}`)),
  after,
  size,
});
const CONTENT_QUERY = v.object({ q: searched, type: v.optional(v.string()), after, size });
const LOG_QUERY = v.object({ q: searched, after, size });

const time = v.pipe(v.string(), v.regex(/^\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?([+-]\d\d:\d\d|Z)$/));
const uuid = v.pipe(v.string(), v.uuid());
const MEMBER_CURSOR = v.object({
  created_at: time,
  // Pages of the previous release send neither of the two.
  last_sign_in_at: v.optional(v.nullable(time), null),
  storage: v.optional(v.pipe(v.number(), v.integer()), 0),
  id: uuid,
});
const LOG_CURSOR = v.object({ created_at: time, id: uuid });
const CONTENT_CURSOR = v.object({
  created_at: time,
  type: v.picklist(CONTENT_TYPES),
  id: v.pipe(v.string(), v.regex(/^[0-9a-f][\w./-]*$/)),
});

/**
 * Parses a cursor: the last row of the previous page, as JSON. Its values become parts of queries, so the schema must
 * be strict.
 */
function parseCursor<Output>(
  schema: v.GenericSchema<unknown, Output>,
  cursor: string | undefined,
): Output | undefined {
  if (cursor === undefined) return undefined;
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), cursor);
  if (success) return output;
  throw new GoTrueError(400, "validation_failed", "The cursor is invalid");
}

function parse<Output>(values: Body, schema: v.GenericSchema<unknown, Output>): Output {
  const { success, output, issues } = v.safeParse(schema, values);
  if (success) return output;
  throw new GoTrueError(400, "validation_failed", issues[0].message);
}

function format(error: Error, c: Context): Response {
  const { status, code, message, retryAfterSeconds } = toAdminError(error);
  if (retryAfterSeconds !== undefined) c.header("Retry-After", String(retryAfterSeconds));
  // GoTrue has two formats for errors. Clients find the code in both places.
  return c.json({ code, error_code: code, message, msg: message }, status);
}

const problemOf = (error: OperatorError) => (error instanceof MissingError ? error.problem : error.message);

function toAdminError(error: Error): GoTrueError {
  if (error instanceof TemporaryError) {
    const message = "The site's data is not available at the moment. Try again shortly.";
    return new GoTrueError(503, "request_timeout", message, 2);
  }
  if (error instanceof OperatorError) return new GoTrueError(422, "operation_failed", problemOf(error));
  if (error instanceof UsageError) return new GoTrueError(400, "validation_failed", error.message);
  return toGoTrueError(error, false);
}
