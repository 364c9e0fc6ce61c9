// Tests every combination of table, operation and identity with unmodified supabase-js clients.
// The rules are in docs/access-rules.md, and in docs/contract.md under "Database".
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, describe, expect, test } from "vitest";
import { KINDS } from "../../common/kinds/index.ts";
import { createTokens } from "../../server/api/access-token.ts";
import { makeMember } from "../support/database.ts";
import { exampleRow } from "../support/example-rows.ts";
import { type Member, startTestRest } from "../support/rest.ts";

const clients: Partial<Record<Identity, SupabaseClient>> = {};

type Identity = (typeof IDENTITIES)[number];
type Operation = (typeof OPERATIONS)[number];

const IDENTITIES = [
  "visitor",
  "owner",
  "other member",
  "service key",
  "ended session",
  "deleted user",
  "banned user",
  "expired token",
  "foreign signature",
  "unsigned token",
  "changed token",
  "table owner's role",
  "auth server's role",
] as const;
const OPERATIONS = [
  "select",
  "insert",
  "update",
  "delete",
  "upsert of a new row",
  "upsert of the owner's row",
] as const;

interface TableFacts {
  owner: string;
  row: Record<string, unknown>;
  change: Record<string, unknown>;
}

const TABLES: Record<string, TableFacts> = {
  profiles: { owner: "id", row: { username: "before" }, change: { username: "after" } },
  skills: { owner: "profile_id", row: { name: "before" }, change: { name: "after" } },
  ...Object.fromEntries(
    KINDS.map((kind) => {
      const { [kind.ownerColumn]: _owner, ...row } = exampleRow(kind, "", { title: "before" });
      return [kind.table, { owner: kind.ownerColumn, row, change: { title: "after" } }];
    }),
  ),
};

const rest = await startTestRest();
const owner = await rest.signedIn();
const tokens: Partial<Record<Identity, string>> = {
  owner: owner.token,
  "other member": (await rest.signedIn()).token,
  "service key": rest.keys.serviceKey,
  "ended session": await endedSession(),
  "deleted user": await deletedUser(),
  "banned user": await bannedUser(),
  "expired token": await rest.sign({ sub: owner.id, session_id: owner.sessionId, exp: 1_700_000_000 }),
  "foreign signature": await createTokens("x".repeat(40)).sign(claimsOf(owner)),
  "unsigned token": unsigned(claimsOf(owner)),
  "changed token": changed(owner.token, { role: "service_role" }),
  "table owner's role": await rest.sign({ ...claimsOf(owner), role: "postgres" }),
  "auth server's role": await rest.sign({ ...claimsOf(owner), role: "supabase_auth_admin" }),
};
for (const identity of IDENTITIES) clients[identity] = rest.client(tokens[identity]);
afterAll(() => rest.stop());

function claimsOf({ id, sessionId }: Member) {
  return { role: "authenticated", sub: id, session_id: sessionId, exp: Math.floor(Date.now() / 1000) + 3600 };
}

async function endedSession(): Promise<string> {
  const { token, sessionId } = await rest.signedIn();
  await rest.admin.query("delete from auth.sessions where id = $1", [sessionId]);
  return token;
}

async function deletedUser(): Promise<string> {
  const { token, id } = await rest.signedIn();
  await rest.admin.query("delete from auth.users where id = $1", [id]);
  return token;
}

async function bannedUser(): Promise<string> {
  const { token, id } = await rest.signedIn();
  await rest.admin.query("update auth.users set banned_until = now() + interval '1 day' where id = $1", [id]);
  return token;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function unsigned(claims: object): string {
  return `${encode({ alg: "none", typ: "JWT" })}.${encode(claims)}.`;
}

function changed(token: string, claims: object): string {
  const [header, payload = "", signature] = token.split(".");
  const original = JSON.parse(Buffer.from(payload, "base64url").toString());
  return [header, encode({ ...original, ...claims }), signature].join(".");
}

interface Outcome {
  status: number;
  code?: string;
  /** The number of rows in the response. */
  rows?: number;
}

/** Returns the response that the access rules require. */
function expected(identity: Identity, operation: Operation, table: string): Outcome {
  switch (identity) {
    case "visitor":
      return operation === "select" ? { status: 200, rows: 1 } : { status: 401, code: "42501" };
    case "owner":
      return table === "profiles" && operation === "delete"
        ? { status: 403, code: "42501" }
        : allowed(operation);
    case "service key":
      return allowed(operation);
    case "other member":
      if (operation === "select") return { status: 200, rows: 1 };
      if (operation === "update" || (operation === "delete" && table !== "profiles"))
        return { status: 200, rows: 0 };
      return { status: 403, code: "42501" };
    case "ended session":
    case "deleted user":
    case "banned user":
    case "expired token":
      return { status: 401, code: "PGRST303" };
    case "foreign signature":
    case "unsigned token":
    case "changed token":
      return { status: 401, code: "PGRST301" };
    default:
      return { status: 403, code: "42501" };
  }
}

function allowed(operation: Operation): Outcome {
  const isNew = operation === "insert" || operation === "upsert of a new row";
  return { status: isNew ? 201 : 200, rows: 1 };
}

/** The row after a successful operation, or undefined after a deletion. */
function after(operation: Operation, { row, change }: TableFacts): object | undefined {
  if (operation === "delete") return undefined;
  return operation === "update" || operation === "upsert of the owner's row" ? { ...row, ...change } : row;
}

/**
 * Returns a row of the owner, and inserts it if `exists`. In the table profiles, the row belongs to a new account, unless
 * `identity` is the owner.
 */
async function arrange(table: string, facts: TableFacts, exists: boolean, identity: Identity) {
  const isProfile = table === "profiles";
  const member = isProfile && identity !== "owner" ? await makeMember(rest.admin) : owner.id;
  const id = isProfile ? member : crypto.randomUUID();
  const row: Record<string, unknown> = { id, [facts.owner]: member, ...facts.row };
  if (isProfile) await rest.admin.query("delete from public.profiles where id = $1", [id]);
  else
    await rest.admin.query("insert into public.profiles (id) values ($1) on conflict do nothing", [member]);
  if (exists) await insert(table, row);
  return { id, row };
}

async function insert(table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row);
  const placeholders = columns.map((_, at) => `$${at + 1}`);
  await rest.admin.query(
    `insert into public.${table} (${columns.join(", ")}) values (${placeholders.join(", ")})`,
    Object.values(row),
  );
}

async function find(table: string, id: string): Promise<object | undefined> {
  const read = `select to_jsonb(t) as row from public.${table} t where id = $1`;
  return (await rest.admin.query<{ row: object }>(read, [id])).rows[0]?.row;
}

function carryOut(
  client: SupabaseClient,
  operation: Operation,
  table: string,
  row: { id?: unknown },
  change: object,
) {
  const { id } = row;
  switch (operation) {
    case "select":
      return client.from(table).select().eq("id", id);
    case "insert":
      return client.from(table).insert(row).select();
    case "update":
      return client.from(table).update(change).eq("id", id).select();
    case "delete":
      return client.from(table).delete().eq("id", id).select();
    case "upsert of a new row":
      return client.from(table).upsert(row).select();
    case "upsert of the owner's row":
      return client
        .from(table)
        .upsert({ ...row, ...change })
        .select();
  }
}

describe.each(Object.entries(TABLES))("access to the table %s", (table, facts) => {
  describe.each(OPERATIONS)("the operation %s", (operation) => {
    test.each(IDENTITIES)(
      `"${operation}" on ${table} as "%s" has the result that the access rules require`,
      async (identity) => {
        const client = clients[identity];
        if (client === undefined) throw new Error("No client");
        const isNew = operation === "insert" || operation === "upsert of a new row";
        const { id, row } = await arrange(table, facts, !isNew, identity);
        const before = await find(table, id);
        rest.onWrite.mockClear();

        const { status, error, data } = await carryOut(client, operation, table, row, facts.change);
        const outcome = expected(identity, operation, table);
        expect({ status, code: error?.code, rows: data?.length }).toEqual({
          status: outcome.status,
          code: outcome.code,
          rows: outcome.rows,
        });

        const isWrite = outcome.rows === 1 && operation !== "select";
        expect(rest.onWrite).toHaveBeenCalledTimes(isWrite ? 1 : 0);
        const current = await find(table, id);
        if (!isWrite) expect(current).toEqual(before);
        else if (operation === "delete") expect(current).toBeUndefined();
        else expect(current).toMatchObject({ ...row, ...after(operation, facts) });
      },
    );
  });
});
