import type { Context } from "hono";
import * as v from "valibot";
import { isUuid } from "../../app/data/addresses.ts";
import type { AuthEnv, AuthHandler } from "./auth-env.ts";
import { GoTrueError, invalid } from "./auth-error.ts";
import { requireEmail } from "./email.ts";
import { object, read, text } from "./json-body.ts";
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

/** GoTrue, internal/api/admin.go. */
export const createAccount: AuthHandler = async (c) => {
  const { transaction, onWrite } = c.var.services;
  const { email = requireEmail(""), ...attributes } = await readChanges(c);
  const created = await transaction((client) => createUser(client, email, attributes));
  onWrite();
  return c.json(userBody(created));
};

export const listAccounts: AuthHandler = async (c) => {
  const page = readCount(c.req.query("page"), 1, MAX_PAGE);
  const perPage = readCount(c.req.query("per_page"), 50, MAX_PER_PAGE);
  const { users, total } = await c.var.services.transaction((client) => listUsers(client, page, perPage));
  const last = Math.ceil(total / perPage);
  const link = (number: number, rel: string) =>
    `</auth/v1/admin/users?page=${number}&per_page=${perPage}>; rel="${rel}"`;
  c.header("Link", [...(page < last ? [link(page + 1, "next")] : []), link(last, "last")].join(", "));
  c.header("X-Total-Count", String(total));
  return c.json({ users: users.map(userBody), aud: "authenticated" });
};

export const getAccount: AuthHandler = async (c) => {
  const id = pathId(c);
  return c.json(userBody(await c.var.services.transaction((client) => getUser(client, id))));
};

export const changeAccount: AuthHandler = async (c) => {
  const id = pathId(c);
  const changes = await readChanges(c);
  return c.json(userBody(await c.var.services.transaction((client) => changeUser(client, id, changes))));
};

export const deleteAccount: AuthHandler = async (c) => {
  const { transaction, onWrite } = c.var.services;
  const id = pathId(c);
  if (read(c.var.body, v.object({ should_soft_delete: v.nullish(v.boolean()) })).should_soft_delete) {
    throw invalid("Soft deletion is not supported: an account goes with everything that it published");
  }
  await transaction((client) => deleteUser(client, id));
  onWrite();
  return c.json({});
};

/** As Go writes durations, the largest unit first (GoTrue, time.ParseDuration). */
const BAN_DURATION =
  /^(none|(?=\d)(\d{1,9}(\.\d{1,3})?h)?(\d{1,9}(\.\d{1,3})?m)?(\d{1,9}(\.\d{1,3})?s)?(\d{1,9}ms)?)?$/;

/** Refuses all others: a `role` would become that of the member's tokens, with what the database allows it. */
const ATTRIBUTES = v.strictObject({
  email: text,
  password: v.nullish(v.string()),
  email_confirm: v.nullish(v.boolean()),
  ban_duration: text,
  user_metadata: object,
});

async function readChanges({ var: { body, services } }: Context<AuthEnv>): Promise<UserChanges> {
  const { email, password, email_confirm, ban_duration, user_metadata } = read(body, ATTRIBUTES);
  if (!BAN_DURATION.test(ban_duration)) throw invalid("invalid format for ban duration");
  return {
    email: email === "" ? undefined : requireEmail(email),
    isConfirmed: email_confirm === true,
    banDuration: ban_duration,
    metadata: user_metadata ?? undefined,
    passwordHash: typeof password === "string" ? await services.passwords.hash(password) : undefined,
  };
}

function pathId(c: Context<AuthEnv>): string {
  const id = c.req.param("id") ?? "";
  if (isUuid(id)) return id;
  throw new GoTrueError(404, "validation_failed", "user_id must be an UUID");
}

function readCount(given: string | undefined, fallback: number, max: number): number {
  if (given === undefined || given === "") return fallback;
  const count = /^\d{1,9}$/.test(given) ? Number(given) : 0;
  if (count >= 1 && count <= max) return count;
  throw invalid(`Bad Pagination Parameters: a whole number from 1 to ${max} is expected`);
}
