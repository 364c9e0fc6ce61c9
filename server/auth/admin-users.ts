import type { Context } from "hono";
import { isUuid } from "../postgres/uuid.ts";
import type { AuthEnv, AuthHandler, Body } from "./auth-env.ts";
import { GoTrueError, invalid } from "./auth-error.ts";
import { requireEmail } from "./email.ts";
import { booleanField, objectField, optionalText, textField } from "./json-body.ts";
import { checkNewPassword } from "./passwords.ts";
import type { AuthServices } from "./services.ts";
import { banEnd, banUser } from "./store/bans.ts";
import { changeEmail, changePassword, confirmEmail, mergeMetadata } from "./store/user-changes.ts";
import { createUser, deleteUser, getUser, listUsers, userBody } from "./store/users.ts";

const MAX_PAGE = 1_000_000;
const MAX_PER_PAGE = 1000;
const NIL_UUID = "00000000-0000-0000-0000-000000000000";
const MEMBERS_TABLES = ["profiles", "skills", "articles", "useful_links", "code_samples"];

/** GoTrue, internal/api/admin.go, like the others here. */
export function createUserHandler(services: AuthServices): AuthHandler {
  return async (c) => {
    const { email, passwordHash, isConfirmed, bannedUntil, ...metadata } = await readAttributes(c, services);
    const user = {
      id: readId(c.var.body),
      email: requireEmail(email),
      passwordHash,
      isConfirmed,
      bannedUntil: bannedUntil ?? null,
      ...metadata,
    };
    const created = await services.transaction((client) => createUser(client, user, services.now()));
    services.onWrite("profiles");
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

/** A new password or a ban ends the account's sessions. */
export function changeUserHandler(services: AuthServices): AuthHandler {
  return async (c) => {
    const id = pathId(c);
    const attributes = await readAttributes(c, services);
    const { passwordHash: hash, isConfirmed, bannedUntil, userMetadata, appMetadata } = attributes;
    const email = attributes.email === "" ? undefined : requireEmail(attributes.email);
    const now = services.now();
    const user = await services.transaction(async (client) => {
      await getUser(client, id);
      if (email !== undefined) await changeEmail(client, id, email, now);
      if (hash !== null) await changePassword(client, id, { hash, keptSession: null }, now);
      if (isConfirmed) await confirmEmail(client, id, now);
      if (bannedUntil !== undefined) await banUser(client, id, bannedUntil, now);
      for (const [column, changes] of [
        ["raw_user_meta_data", userMetadata],
        ["raw_app_meta_data", appMetadata],
      ] as const) {
        if (changes) await mergeMetadata(client, id, { column, changes }, now);
      }
      return getUser(client, id);
    });
    return c.json(userBody(user));
  };
}

export function deleteUserHandler(services: AuthServices): AuthHandler {
  return async (c) => {
    const id = pathId(c);
    if (booleanField(c.var.body, "should_soft_delete")) {
      throw invalid("Soft deletion is not supported: an account goes with everything that it published");
    }
    await services.transaction((client) => deleteUser(client, id));
    for (const table of MEMBERS_TABLES) services.onWrite(table);
    return c.json({});
  };
}

async function readAttributes({ var: { body } }: Context<AuthEnv>, { passwords, now }: AuthServices) {
  refuseUnsupported(body);
  const password = textField(body, "password");
  if (password !== "") checkNewPassword(password);
  return {
    email: textField(body, "email"),
    isConfirmed: booleanField(body, "email_confirm"),
    bannedUntil: banEnd(textField(body, "ban_duration"), now()),
    userMetadata: objectField(body, "user_metadata"),
    appMetadata: objectField(body, "app_metadata"),
    passwordHash: password === "" ? null : await passwords.hash(password),
  };
}

/** A role would become the `role` of the member's tokens, and with it what the database allows them. */
function refuseUnsupported(body: Body): void {
  for (const name of ["role", "aud"]) {
    const value = textField(body, name) || "authenticated";
    if (value !== "authenticated") throw invalid(`Every account has the ${name} authenticated`);
  }
  if (textField(body, "phone") !== "") {
    throw new GoTrueError(422, "phone_provider_disabled", "Phone numbers are not supported");
  }
  if (textField(body, "password_hash") !== "") throw invalid("Password hashes cannot be imported");
}

function pathId(c: Context<AuthEnv>): string {
  const id = c.req.param("id") ?? "";
  if (isUuid(id)) return id;
  throw new GoTrueError(404, "validation_failed", "user_id must be an UUID");
}

function readId(body: Body): string | undefined {
  const id = optionalText(body, "id");
  if (id === undefined || (isUuid(id) && id !== NIL_UUID)) return id;
  throw invalid("ID must conform to the uuid v4 format");
}

function readCount(text: string | undefined, fallback: number, max: number): number {
  if (text === undefined || text === "") return fallback;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  throw invalid(`Bad Pagination Parameters: a whole number from 1 to ${max} is expected`);
}
