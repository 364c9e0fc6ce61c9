import type { Context } from "hono";
import * as v from "valibot";
import { isUuid } from "../../common/data/addresses.ts";
import type { AuthEnv, AuthHandler, AuthTransaction, Body } from "./auth-env.ts";
import { GoTrueError, invalid } from "./auth-error.ts";
import { requireEmail } from "./email-address.ts";
import { optionalObject, optionalText, readAttributes } from "./json-body.ts";
import type { Passwords } from "./passwords.ts";
import { unlinkAccounts } from "./store/identities.ts";
import {
  changeUser,
  createUser,
  deleteUser,
  getUser,
  listUsers,
  type UserChanges,
  userBody,
} from "./store/users.ts";

const MAX_PAGE = 1_000_000;
const MAX_PER_PAGE = 1000;

/**
 * Lists, reads, creates, changes and deletes accounts for clients with the service key (GoTrue's
 * internal/api/admin.go).
 */
export function adminUsers(
  transaction: AuthTransaction,
  passwords: Passwords,
  onWrite: () => void,
  /** Called after an operator has set a member's password. */
  onPasswordSet: (requestId: string, email: string) => void,
) {
  const list: AuthHandler = async (c) => {
    const page = readCount(c.req.query("page"), 1, MAX_PAGE);
    const perPage = readCount(c.req.query("per_page"), 50, MAX_PER_PAGE);
    const { users, total } = await transaction((client) => listUsers(client, page, perPage));
    const last = Math.ceil(total / perPage);
    const link = (number: number, rel: string) =>
      `</auth/v1/admin/users?page=${number}&per_page=${perPage}>; rel="${rel}"`;
    c.header("Link", [...(page < last ? [link(page + 1, "next")] : []), link(last, "last")].join(", "));
    c.header("X-Total-Count", String(total));
    return c.json({ users: users.map(userBody), aud: "authenticated" });
  };

  const create: AuthHandler = async (c) => {
    const { email = requireEmail(""), ...attributes } = await readChanges(c.var.body, NEW_ACCOUNT, passwords);
    const created = await transaction((client) => createUser(client, email, attributes));
    onWrite();
    return c.json(userBody(created));
  };

  const get: AuthHandler = async (c) => {
    const id = pathId(c);
    return c.json(userBody(await transaction((client) => getUser(client, id))));
  };

  const change: AuthHandler = async (c) => {
    const id = pathId(c);
    const changes = await readChanges(c.var.body, ATTRIBUTES, passwords);
    const changed = await transaction((client) => changeUser(client, id, changes));
    if (changes.passwordHash !== undefined) onPasswordSet(c.var.requestId, changed.email);
    return c.json(userBody(changed));
  };

  const remove: AuthHandler = async (c) => {
    const id = pathId(c);
    if (readAttributes(c.var.body ?? {}, DELETION).should_soft_delete) {
      throw invalid(
        "Soft deletion is not supported: deleting an account deletes everything that its owner published",
      );
    }
    await transaction((client) => deleteUser(client, id));
    onWrite();
    return c.json({});
  };

  /** Extends GoTrue's protocol: its operators can't unlink identities. */
  const unlink: AuthHandler = async (c) => {
    const id = pathId(c);
    await transaction((client) => unlinkAccounts(client, id));
    return c.json({});
  };

  return { list, create, get, change, remove, unlink };
}

const DELETION = v.object({ should_soft_delete: v.nullish(v.boolean()) });

/**
 * How long to ban an account: hours, minutes, seconds and milliseconds in the format of Go's `time.ParseDuration` (such
 * as `1h30m`), with the largest unit first. `none` ends a ban, and an empty text changes nothing.
 */
const BAN_DURATION =
  /^(none|(?=\d)(\d{1,9}(\.\d{1,3})?h)?(\d{1,9}(\.\d{1,3})?m)?(\d{1,9}(\.\d{1,3})?s)?(\d{1,9}ms)?)?$/;

/**
 * Rejects attributes that aren't listed here: if they were ignored, an operator could believe that they took effect. In
 * GoTrue, for example, `role` becomes the role in the member's tokens, but here all members' tokens have the role
 * `authenticated`.
 */
const ATTRIBUTES = v.strictObject({
  email: optionalText,
  password: v.nullish(v.string()),
  email_confirm: v.nullish(v.boolean()),
  ban_duration: optionalText,
  user_metadata: optionalObject,
  app_metadata: optionalObject,
  password_hash: optionalText,
});

/** Accounts that move here from elsewhere keep their ids, which are in their rows and in other systems. */
const NEW_ACCOUNT = v.strictObject({ ...ATTRIBUTES.entries, id: optionalText });

async function readChanges(
  body: Body,
  schema: typeof ATTRIBUTES | typeof NEW_ACCOUNT,
  passwords: Passwords,
): Promise<UserChanges> {
  const attributes: v.InferOutput<typeof ATTRIBUTES> & { id?: string } = readAttributes(body, schema);
  const { id = "", email, password, password_hash, email_confirm, ban_duration } = attributes;
  const { user_metadata, app_metadata } = attributes;
  if (id !== "" && !isUuid(id)) throw invalid("The attribute id must be a UUID");
  if (typeof password === "string" && password_hash !== "")
    throw invalid("Only a password or a password hash should be provided");
  if (!BAN_DURATION.test(ban_duration)) throw invalid("invalid format for ban duration");
  return {
    email: email === "" ? undefined : requireEmail(email),
    isConfirmed: email_confirm === true,
    banDuration: ban_duration,
    metadata: user_metadata ?? undefined,
    appMetadata: app_metadata ?? undefined,
    id: id === "" ? undefined : id.toLowerCase(),
    passwordHash: typeof password === "string" ? await passwords.hash(password) : readHash(password_hash),
  };
}

/** bcrypt's costs up to 14 take about a second. Higher ones would occupy the threads that check passwords. */
const BCRYPT_HASH = /^\$2[aby]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/;

function readHash(hash: string): string | undefined {
  if (hash === "") return undefined;
  if (BCRYPT_HASH.test(hash)) return hash.replace(/^\$2y/, "$2b");
  throw invalid("The attribute password_hash must be a bcrypt hash with a cost from 4 to 14");
}

function pathId(c: Context<AuthEnv>): string {
  const id = c.req.param("id") ?? "";
  if (isUuid(id)) return id;
  throw new GoTrueError(404, "validation_failed", "user_id must be an UUID");
}

function readCount(parameter: string | undefined, fallback: number, max: number): number {
  if (parameter === undefined || parameter === "") return fallback;
  const count = /^\d{1,9}$/.test(parameter) ? Number(parameter) : 0;
  if (count >= 1 && count <= max) return count;
  throw invalid(`Bad Pagination Parameters: a whole number from 1 to ${max} is expected`);
}
