import type { Context } from "hono";
import * as v from "valibot";
import { isUuid } from "../../../common/data/addresses.ts";
import { LIMITS } from "../../config/limits.ts";
import type { AuthEnv, AuthHandler, AuthTransaction } from "../auth-env.ts";
import { GoTrueError, invalid } from "../auth-error.ts";
import { passkeyRemovedEmail } from "../emails.ts";
import { optionalText, readAttributes } from "../json-body.ts";
import { listPasskeys, type Passkey, removePasskey, renamePasskey } from "../store/passkeys.ts";
import { getUser } from "../store/users.ts";
import type { PasskeyDependencies } from "./passkey-dependencies.ts";

type Parts = Pick<PasskeyDependencies, "settings" | "transaction" | "sendEmail" | "sendLater">;

/** Lists, renames and removes passkeys (GoTrue's internal/api/passkey_manage.go and passkey_admin.go). */
export function managePasskeys({ settings, transaction, sendEmail, sendLater }: Parts) {
  const list: AuthHandler = async (c) => {
    const { transaction, userId } = c.var.member;
    const passkeys = await transaction((client) => listPasskeys(client, userId));
    return c.json(passkeys.map(describe));
  };

  const rename: AuthHandler = async (c) => {
    const { transaction, userId } = c.var.member;
    const id = pathId(c, "passkey");
    const name = readName(c);
    const renamed = await transaction((client) => renamePasskey(client, userId, id, name));
    if (!renamed) throw notFound();
    return c.json(describe(renamed));
  };

  async function removeFrom(
    c: Context<AuthEnv>,
    transaction: AuthTransaction,
    userId: string,
  ): Promise<Response> {
    const id = pathId(c, "passkey");
    const removed = await transaction((client) => removePasskey(client, userId, id));
    if (!removed) throw notFound();
    const profile = `${settings.siteUrl}/profile`;
    const message = passkeyRemovedEmail(settings, removed.email, removed.name, profile);
    sendLater(c.var.requestId, "passkey_removed", sendEmail(message));
    return c.body(null, 204);
  }

  const remove: AuthHandler = (c) => {
    const { transaction, userId } = c.var.member;
    return removeFrom(c, transaction, userId);
  };

  const listOfUser: AuthHandler = async (c) => {
    const userId = pathId(c, "user");
    const passkeys = await transaction(async (client) => {
      await getUser(client, userId);
      return listPasskeys(client, userId);
    });
    return c.json(passkeys.map(describe));
  };

  const removeOfUser: AuthHandler = async (c) => {
    const userId = pathId(c, "user");
    await transaction((client) => getUser(client, userId));
    return removeFrom(c, transaction, userId);
  };

  return { list, rename, remove, listOfUser, removeOfUser };
}

/** Omits the date of a use that hasn't happened, as GoTrue does. */
function describe({ last_used_at, ...passkey }: Passkey) {
  return { ...passkey, ...(last_used_at && { last_used_at }) };
}

const notFound = () => new GoTrueError(404, "validation_failed", "Passkey not found");

function pathId(c: Context<AuthEnv>, name: "passkey" | "user"): string {
  const id = c.req.param(name) ?? "";
  if (isUuid(id)) return id;
  throw name === "passkey"
    ? notFound()
    : new GoTrueError(404, "validation_failed", "user_id must be an UUID");
}

function readName(c: Context<AuthEnv>): string {
  const attributes = readAttributes(c.var.body, v.object({ friendly_name: optionalText }));
  const name = attributes.friendly_name.trim();
  const { nameCharacters } = LIMITS.passkeys;
  if (name === "") throw invalid("friendly_name is required");
  if ([...name].length <= nameCharacters) return name;
  throw invalid(`friendly_name must be ${nameCharacters} characters or less`);
}
