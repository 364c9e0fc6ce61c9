import type { Context } from "hono";
import { isUuid } from "../postgres/uuid.ts";
import { GoTrueError, invalid } from "./auth-error.ts";
import { requireEmail } from "./email.ts";
import type { AuthEnv } from "./guards.ts";
import {
  type Body,
  booleanField,
  objectField,
  optionalText,
  readBody,
  readOptionalBody,
  textField,
} from "./json-body.ts";
import { checkNewPassword, isBcryptHash } from "./passwords.ts";
import type { AuthServices } from "./services.ts";
import { banEnd } from "./store/bans.ts";
import {
  banUser,
  changeEmail,
  changePassword,
  confirmEmail,
  createUser,
  deleteUser,
  getUser,
  listUsers,
  mergeMetadata,
  userBody,
} from "./store/users.ts";

const nil = "00000000-0000-0000-0000-000000000000";

/** What goes with an account when it goes. */
const membersTables = ["profiles", "skills", "articles", "useful_links", "code_samples"];

/** `POST /admin/users`: makes an account (GoTrue, internal/api/admin.go). */
export function createUserHandler(services: AuthServices) {
  return async (c: Context<AuthEnv>): Promise<Response> => {
    const body = await readBody(c);
    refuseUnsupported(body);
    const email = requireEmail(textField(body, "email"));
    const passwordHash = await readPassword(services, body);
    const now = services.now();
    const user = await services.transaction((client) =>
      createUser(
        client,
        {
          id: readId(body),
          email,
          passwordHash,
          confirmed: booleanField(body, "email_confirm"),
          bannedUntil: banEnd(textField(body, "ban_duration"), now) ?? null,
          userMetadata: objectField(body, "user_metadata"),
          appMetadata: objectField(body, "app_metadata"),
        },
        now,
      ),
    );
    services.onWrite("profiles");
    return c.json(userBody(user));
  };
}

/** `GET /admin/users?page=1&per_page=50`: all accounts, newest first (GoTrue, internal/api/pagination.go). */
export function listUsersHandler({ transaction }: AuthServices) {
  return async (c: Context<AuthEnv>): Promise<Response> => {
    const page = readCount(c.req.query("page"), 1, 1_000_000);
    const perPage = readCount(c.req.query("per_page"), 50, 1000);
    const { users, total } = await transaction((client) => listUsers(client, page, perPage));
    const last = Math.ceil(total / perPage);
    const link = (number: number, rel: string) =>
      `</auth/v1/admin/users?page=${number}&per_page=${perPage}>; rel="${rel}"`;
    c.header("Link", [...(page < last ? [link(page + 1, "next")] : []), link(last, "last")].join(", "));
    c.header("X-Total-Count", String(total));
    return c.json({ users: users.map(userBody), aud: "authenticated" });
  };
}

/** `GET /admin/users/:id`: one account. */
export function getUserHandler({ transaction }: AuthServices) {
  return async (c: Context<AuthEnv>): Promise<Response> => {
    const id = pathId(c);
    return c.json(userBody(await transaction((client) => getUser(client, id))));
  };
}

/** `PUT /admin/users/:id`: changes an account. A new password or a ban ends its sessions. */
export function changeUserHandler(services: AuthServices) {
  return async (c: Context<AuthEnv>): Promise<Response> => {
    const id = pathId(c);
    const body = await readBody(c);
    refuseUnsupported(body);
    const now = services.now();
    const email = textField(body, "email");
    const newEmail = email === "" ? undefined : requireEmail(email);
    const hash = await readPassword(services, body);
    const confirmed = booleanField(body, "email_confirm");
    const bannedUntil = banEnd(textField(body, "ban_duration"), now);
    const userMetadata = objectField(body, "user_metadata");
    const appMetadata = objectField(body, "app_metadata");
    const user = await services.transaction(async (client) => {
      await getUser(client, id);
      if (newEmail !== undefined) await changeEmail(client, id, newEmail, now);
      if (hash !== null) await changePassword(client, id, hash, null, now);
      if (confirmed) await confirmEmail(client, id, now);
      if (bannedUntil !== undefined) await banUser(client, id, bannedUntil, now);
      if (userMetadata) await mergeMetadata(client, id, "raw_user_meta_data", userMetadata, now);
      if (appMetadata) await mergeMetadata(client, id, "raw_app_meta_data", appMetadata, now);
      return getUser(client, id);
    });
    return c.json(userBody(user));
  };
}

/** `DELETE /admin/users/:id`: removes an account with everything it owns. Keeping a shell of it is refused. */
export function deleteUserHandler(services: AuthServices) {
  return async (c: Context<AuthEnv>): Promise<Response> => {
    const id = pathId(c);
    if (booleanField(await readOptionalBody(c), "should_soft_delete")) {
      throw invalid("Soft deletion is not supported: an account goes with everything that it published");
    }
    await services.transaction((client) => deleteUser(client, id));
    for (const table of membersTables) services.onWrite(table);
    return c.json({});
  };
}

function pathId(c: Context<AuthEnv>): string {
  const id = c.req.param("id") ?? "";
  if (isUuid(id)) return id;
  throw new GoTrueError(404, "validation_failed", "user_id must be an UUID");
}

function readId(body: Body): string | undefined {
  const id = optionalText(body, "id");
  if (id === undefined || (isUuid(id) && id !== nil)) return id;
  throw invalid("ID must conform to the uuid v4 format");
}

function readCount(text: string | undefined, unless: number, most: number): number {
  if (text === undefined || text === "") return unless;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= most) return count;
  throw invalid(`Bad Pagination Parameters: a whole number from 1 to ${most} is expected`);
}

/** A role would become the `role` of the member's tokens, and with it what the database lets him do. */
function refuseUnsupported(body: Body): void {
  for (const name of ["role", "aud"]) {
    const value = textField(body, name);
    if (value !== "" && value !== "authenticated")
      throw invalid(`Every account has the ${name} authenticated`);
  }
  if (textField(body, "phone") !== "") {
    throw new GoTrueError(422, "phone_provider_disabled", "Phone numbers are not supported");
  }
}

/** Returns the hash to store, null when neither a password nor a hash is given. */
async function readPassword({ passwords }: AuthServices, body: Body): Promise<string | null> {
  const password = textField(body, "password");
  const hash = textField(body, "password_hash");
  if (password !== "" && hash !== "") throw invalid("Only a password or a password hash should be provided");
  if (hash !== "") {
    if (isBcryptHash(hash)) return hash;
    throw invalid("The password hash must be bcrypt's, at a cost from 4 to 12");
  }
  if (password === "") return null;
  checkNewPassword(password);
  return passwords.hash(password);
}
