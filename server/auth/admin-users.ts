import type { Context } from "hono";
import { isUuid } from "../../app/data/addresses.ts";
import type { AuthEnv, AuthHandler, Body } from "./auth-env.ts";
import { GoTrueError, invalid } from "./auth-error.ts";
import { banLength } from "./ban.ts";
import { requireEmail } from "./email.ts";
import { booleanField, objectField, optionalText, textField } from "./json-body.ts";
import { checkNewPassword } from "./passwords.ts";
import type { AuthServices } from "./services.ts";
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

/** GoTrue, internal/api/admin.go, like the others here. */
export function createUserHandler(services: AuthServices): AuthHandler {
  return async (c) => {
    const { email = requireEmail(""), ...attributes } = await readChanges(c.var.body, services);
    const created = await services.transaction((client) => createUser(client, email, attributes));
    services.onWrite();
    return c.json(userBody(created));
  };
}

export function listUsersHandler({ transaction }: AuthServices): AuthHandler {
  return async (c) => {
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
}

export function getUserHandler({ transaction }: AuthServices): AuthHandler {
  return async (c) => {
    const id = pathId(c);
    return c.json(userBody(await transaction((client) => getUser(client, id))));
  };
}

export function changeUserHandler(services: AuthServices): AuthHandler {
  return async (c) => {
    const id = pathId(c);
    const changes = await readChanges(c.var.body, services);
    return c.json(userBody(await services.transaction((client) => changeUser(client, id, changes))));
  };
}

export function deleteUserHandler(services: AuthServices): AuthHandler {
  return async (c) => {
    const id = pathId(c);
    if (booleanField(c.var.body, "should_soft_delete")) {
      throw invalid("Soft deletion is not supported: an account goes with everything that it published");
    }
    await services.transaction((client) => deleteUser(client, id));
    services.onWrite();
    return c.json({});
  };
}

const ATTRIBUTES = new Set(["email", "password", "email_confirm", "ban_duration", "user_metadata"]);

/** Refuses all others: a `role` would become that of the member's tokens, with what the database allows it. */
async function readChanges(body: Body, { passwords }: AuthServices): Promise<UserChanges> {
  const unknown = Object.keys(body).find((name) => !ATTRIBUTES.has(name));
  if (unknown !== undefined) throw invalid(`The attribute ${unknown.slice(0, 50)} is not supported here`);
  const email = textField(body, "email");
  const password = optionalText(body, "password");
  if (password !== undefined) checkNewPassword(password);
  return {
    email: email === "" ? undefined : requireEmail(email),
    isConfirmed: booleanField(body, "email_confirm"),
    banMs: banLength(textField(body, "ban_duration")),
    metadata: objectField(body, "user_metadata"),
    passwordHash: password === undefined ? undefined : await passwords.hash(password),
  };
}

function pathId(c: Context<AuthEnv>): string {
  const id = c.req.param("id") ?? "";
  if (isUuid(id)) return id;
  throw new GoTrueError(404, "validation_failed", "user_id must be an UUID");
}

function readCount(text: string | undefined, fallback: number, max: number): number {
  if (text === undefined || text === "") return fallback;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  throw invalid(`Bad Pagination Parameters: a whole number from 1 to ${max} is expected`);
}
