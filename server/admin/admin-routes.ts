import { type Context, Hono, type MiddlewareHandler } from "hono";
import * as v from "valibot";
import type { Done, ListedMember } from "../../common/data/operators.ts";
import { handleErrors } from "../api/api-errors.ts";
import { readBody } from "../api/read-body.ts";
import { GoTrueError, toGoTrueError } from "../auth/auth-error.ts";
import type { SendMail } from "../auth/mail.ts";
import { LIMITS } from "../config/limits.ts";
import { OperatorError, UsageError } from "../config/operator-error.ts";
import { limitConcurrency } from "../http/limit-concurrency.ts";
import type { Log } from "../http/log.ts";
import { decodeUtf8, isObject } from "../http/storable-json.ts";
import { type Administration, createAdminClient } from "./admin-client.ts";
import type { AdminContext } from "./admin-context.ts";
import { CONTENT_TYPES, listContent } from "./content.ts";
import { removeItem, unpublishItem } from "./content-actions.ts";
import {
  clearProfile,
  contentAmount,
  inviteMember,
  removeContent,
  removeMember,
  sendPasswordLink,
  setFeatured,
  suspend,
  unsuspend,
} from "./member-actions.ts";
import { endOfSuspension, findMemberById, listMembers, resolveMember } from "./members.ts";
import { readNewMember } from "./new-members.ts";
import type { IdentifyOperator, Operator } from "./operator.ts";
import { lineOf, readLog, storeEntry } from "./operator-log.ts";

export interface AdminParts {
  identify: IdentifyOperator;
  /** How to reach the API with the service key. Throws OperatorError if a setting is missing. */
  administration(): Promise<Administration>;
  settings: AdminContext["settings"];
  sendMail: SendMail | undefined;
  log: Log;
  /** Returns what the page's region "State" shows. */
  readState(context: AdminContext): Promise<object>;
  /** Called after an action, because cached pages may then be out of date. */
  onWrite(): void;
}

interface AdminEnv {
  Variables: { operator: Operator; context: AdminContext; body: Record<string, unknown> };
}

type AdminHandler = (c: Context<AdminEnv>) => Promise<Response>;

/** A change needs a sign-in that is at most this old, so that a stolen or unattended browser can't make any. */
const MAX_SIGN_IN_AGE_MS = 3_600_000;
const MAX_LINES = 20;
const PAGE_SIZE = 50;

/**
 * Serves `/admin/v1`, the data of the operators' page (contract, "Operating the site in the browser"). Runs the same
 * actions as the commands, with the service key, which never leaves the server.
 */
export function createAdmin(parts: AdminParts): Hono<AdminEnv> {
  const { identify, log } = parts;
  const admin = new Hono<AdminEnv>();
  admin.onError(handleErrors({ log, event: "admin.failed", format }));

  admin.use(async (c, next) => {
    c.header("Cache-Control", "no-store");
    const operator = await identify(c.req.raw.headers);
    if (c.req.method !== "GET") requireRecentSignIn(operator);
    c.set("operator", operator);
    await next();
  });
  const limiter = limitConcurrency<AdminEnv>(LIMITS.concurrency.memberData, (c) => c.var.operator.id);
  const withContext: MiddlewareHandler<AdminEnv> = async (c, next) => {
    c.set("context", await contextOf(parts, c));
    await next();
  };

  admin.get("/session", async (c) => c.json({ email: c.var.operator.email }));

  admin.use(readJson, limiter, withContext);

  admin.get("/members", async (c) => {
    const { q, state, after } = c.req.query();
    const cursor = readCursor(MEMBER_CURSOR, after);
    const members = await listMembers(c.var.context.site, { search: q, state, cursor, size: PAGE_SIZE });
    return c.json({ rows: members.map(describe), isComplete: members.length < PAGE_SIZE });
  });
  admin.get("/members/:id/content", async (c) => {
    return c.json(await contentAmount(c.var.context, c.req.param("id")));
  });
  const onMember = (
    act: (context: AdminContext, member: ListedMember, body: Record<string, unknown>) => Promise<Done>,
  ) =>
    action(parts, async (c) => {
      const member = await findMemberById(c.var.context.site, c.req.param("id") ?? "");
      return act(c.var.context, member, c.var.body);
    });
  admin.post(
    "/members/:id/suspend",
    onMember((context, member, body) => suspend(context, member, read(body, DURATION).for)),
  );
  admin.post("/members/:id/unsuspend", onMember(unsuspend));
  admin.post("/members/:id/password-link", onMember(sendPasswordLink));
  admin.post(
    "/members/:id/feature",
    onMember((context, member) => setFeatured(context, member, true)),
  );
  admin.post(
    "/members/:id/unfeature",
    onMember((context, member) => setFeatured(context, member, false)),
  );
  admin.post("/members/:id/clear-profile", onMember(clearProfile));
  admin.post("/members/:id/remove-content", onMember(removeContent));
  admin.post(
    "/members/:id/remove",
    onMember(async (context, member, body) => {
      if (read(body, CONFIRMATION).email.trim().toLowerCase() === member.email) {
        return removeMember(context, member);
      }
      throw new OperatorError("The typed address is not this member's.");
    }),
  );

  admin.post("/invitations", async (c) => {
    const { lines } = read(c.var.body, INVITATIONS);
    const results = [];
    for (const line of lines) results.push(await inviteLine(c.var.context, line));
    parts.onWrite();
    return c.json({ results });
  });

  admin.get("/content", async (c) => {
    const { q, type, after } = c.req.query();
    const { site } = c.var.context;
    const cursor = readCursor(CONTENT_CURSOR, after);
    // A search such as @ada lists that member's content.
    const author = q?.startsWith("@") ? await resolveMember(site, q.trim()) : undefined;
    const query = { search: author ? undefined : q, authorId: author?.id, type, cursor };
    const rows = await listContent(site, { ...query, size: PAGE_SIZE });
    return c.json({ rows, isComplete: rows.length < PAGE_SIZE });
  });
  const onItem = (act: (context: AdminContext, id: string) => Promise<Done>) =>
    action(parts, (c) => act(c.var.context, read(c.var.body, ITEM).id));
  admin.post("/content/unpublish", onItem(unpublishItem));
  admin.post("/content/remove", onItem(removeItem));

  admin.get("/log", async (c) => {
    const rows = await readLog(c.var.context.site, readCursor(LOG_CURSOR, c.req.query("after")), PAGE_SIZE);
    return c.json({ rows, isComplete: rows.length < PAGE_SIZE });
  });
  admin.get("/state", async (c) => c.json(await parts.readState(c.var.context)));

  admin.all("*", () => {
    throw new GoTrueError(404, "not_found", "This endpoint is not available");
  });
  return admin;
}

function requireRecentSignIn({ signedInAt }: Operator): void {
  if (Date.now() - signedInAt.getTime() <= MAX_SIGN_IN_AGE_MS) return;
  const message = "Your last sign-in was more than an hour ago: sign in again";
  throw new GoTrueError(403, "reauthentication_needed", message);
}

async function contextOf(parts: AdminParts, c: Context<AdminEnv>): Promise<AdminContext> {
  const { operator, requestId } = c.var as AdminEnv["Variables"] & { requestId?: string };
  const site = createAdminClient(await parts.administration());
  const { settings, sendMail, log } = parts;
  return {
    site,
    settings,
    sendMail,
    async record(entry) {
      log.info({ requestId, operator: operator.email, ...lineOf(entry) }, entry.action);
      const problem = await storeEntry(site, { id: operator.id, name: operator.email }, entry);
      if (problem !== undefined) log.error({ requestId, reason: problem }, "operator_log.failed");
    },
  };
}

function action({ onWrite }: AdminParts, act: (c: Context<AdminEnv>) => Promise<Done>): AdminHandler {
  return async (c) => {
    const done = await act(c);
    onWrite();
    return c.json(done);
  };
}

async function inviteLine(
  context: AdminContext,
  line: string,
): Promise<Partial<Done> & { problem?: string }> {
  try {
    return await inviteMember(context, readNewMember(line));
  } catch (error) {
    if (error instanceof OperatorError) return { problem: error.message };
    throw error;
  }
}

const describe = (member: ListedMember) => ({ ...member, suspended_until: endOfSuspension(member) });

const readJson: MiddlewareHandler<AdminEnv> = async (c, next) => {
  if (c.req.method === "GET") return next();
  // A form on another site can't send this type, nor the header `Authorization`.
  if (!/^application\/json *(;|$)/i.test(c.req.header("content-type") ?? "")) {
    throw new GoTrueError(415, "validation_failed", "Content-Type must be application/json");
  }
  c.set("body", parseObject(await readBody(c.req.raw, LIMITS.bodies.accounts)));
  await next();
};

function parseObject(bytes: Uint8Array<ArrayBuffer>): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(decodeUtf8(bytes));
    if (isObject(body)) return body;
  } catch {}
  throw new GoTrueError(400, "bad_json", "The body must be a JSON object in UTF-8");
}

const DURATION = v.object({ for: v.optional(v.string()) });
const CONFIRMATION = v.object({ email: v.string() });
const ITEM = v.object({ id: v.string() });
const INVITATIONS = v.object({
  lines: v.pipe(v.array(v.pipe(v.string(), v.maxLength(2_000))), v.maxLength(MAX_LINES)),
});

const time = v.pipe(v.string(), v.regex(/^\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?([+-]\d\d:\d\d|Z)$/));
const uuid = v.pipe(v.string(), v.uuid());
const MEMBER_CURSOR = v.object({ created_at: time, id: uuid });
const LOG_CURSOR = v.object({ created_at: time, id: uuid });
const CONTENT_CURSOR = v.object({
  created_at: time,
  type: v.picklist(CONTENT_TYPES),
  id: v.pipe(v.string(), v.regex(/^[0-9a-f][\w./-]*$/)),
});

/** Cursors are rows of the page before, as JSON. They become parts of queries, so nothing else may be in them. */
function readCursor<Output>(
  schema: v.GenericSchema<unknown, Output>,
  given: string | undefined,
): Output | undefined {
  if (given === undefined) return undefined;
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), given);
  if (success) return output;
  throw new GoTrueError(400, "validation_failed", "The cursor is invalid");
}

function read<Output>(body: Record<string, unknown>, schema: v.GenericSchema<unknown, Output>): Output {
  const { success, output, issues } = v.safeParse(schema, body);
  if (success) return output;
  throw new GoTrueError(400, "validation_failed", issues[0].message);
}

function format(error: Error, c: Context): Response {
  const { status, code, message, retryAfterSeconds } = toAdminError(error);
  if (retryAfterSeconds !== undefined) c.header("Retry-After", String(retryAfterSeconds));
  // GoTrue has two formats for errors. Clients find the code in both places.
  return c.json({ code, error_code: code, message, msg: message }, status);
}

function toAdminError(error: Error): GoTrueError {
  if (error instanceof OperatorError) return new GoTrueError(422, "operation_failed", error.message);
  if (error instanceof UsageError) return new GoTrueError(400, "validation_failed", error.message);
  return toGoTrueError(error, false);
}
