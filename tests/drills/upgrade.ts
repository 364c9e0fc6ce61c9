import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type pg from "pg";
import { KINDS } from "../../common/kinds/index.ts";
import { signKeys } from "../../server/auth/keys.ts";
import { adminLogin, newDataDir } from "../support/data-dir.ts";
import { exampleRow } from "../support/example-rows.ts";
import { startExternalServer } from "../support/external-server.ts";
import { createCommunity } from "../support/members.ts";
import { makePng, pathOf } from "../support/pictures.ts";
import { caddy } from "../support/proxies.ts";
import { readAllRows } from "../support/rows.ts";
import { launchSite } from "../support/site-process.ts";
import { type Drill, type Figure, none } from "./figure.ts";
import { findRelease, installRelease, RELEASE } from "./release.ts";
import { failures, replaceInTurn } from "./rolling.ts";

type Row = Record<string, unknown>;
type Keys = Awaited<ReturnType<typeof signKeys>>;

interface Mode {
  name: string;
  settings: Record<string, string>;
  /** The superuser's connection to the site's database. */
  connection(): Promise<pg.ClientConfig>;
}

/** A new migration adds a row to this table. */
const MIGRATIONS = "supabase_migrations.schema_migrations";

/** Fills the site as a member and as an operator. Returns the member's client, which is signed in. */
async function fill(url: string, keys: Keys): Promise<SupabaseClient> {
  const community = createCommunity({ url, keys: { ...keys, jwtSecret: "" } });
  const signIn = async (login: { email: string; password: string }) => {
    const client = createClient(url, keys.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    const { data, error } = await client.auth.signInWithPassword(login);
    if (error) throw error;
    return { client, token: data.session.access_token };
  };
  const member = await community.addMember({ username: "keeper", full_name: "A keeper" });
  const { client } = await signIn(member);
  const skill = { profile_id: member.id, category: "sql", name: "Window functions" };
  await client.from("skills").insert(skill).throwOnError();
  for (const kind of KINDS) {
    const rows = [exampleRow(kind, member.id), exampleRow(kind, member.id, { title: "Deleted" })];
    await client.from(kind.table).insert(rows).throwOnError();
    await client
      .from(kind.table)
      .update({ title: "Changed" })
      .eq("title", rows[0]?.title ?? "")
      .throwOnError();
    await client.from(kind.table).delete().eq("title", "Deleted").throwOnError();
  }
  const picture = makePng(30, 20);
  const uploaded = await client.storage
    .from("pictures")
    .upload(pathOf(member.id, picture), picture.bytes, { contentType: "image/png" });
  if (uploaded.error) throw uploaded.error;

  const operator = await community.addMember();
  await community.admin.auth.admin.updateUserById(operator.id, { app_metadata: { role: "operator" } });
  const { token } = await signIn(operator);
  const featured = await fetch(`${url}/admin/v1/members/${member.id}/feature`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
  });
  if (!featured.ok) throw new Error(`The operator could not feature the member: ${await featured.text()}`);
  return client;
}

async function readRows(mode: Mode): Promise<Map<string, Row[]>> {
  const tables = await readAllRows(await mode.connection(), "json");
  return new Map([...tables].map(([table, rows]) => [table, rows.map((row): Row => JSON.parse(row))]));
}

/** Counts the old rows that are missing or changed, without the columns that the new release has added, and added rows. */
function countDifferences(old: Map<string, Row[]>, upgraded: Map<string, Row[]>): number {
  let differences = 0;
  for (const [table, rows] of old) {
    const columns = Object.keys(rows[0] ?? {});
    const textOf = (row: Row) => JSON.stringify(columns.map((column) => row[column]));
    const now = upgraded.get(table) ?? [];
    const kept = new Set(now.map(textOf));
    differences += rows.filter((row) => !kept.has(textOf(row))).length;
    if (table !== MIGRATIONS) differences += Math.max(0, now.length - rows.length);
  }
  return differences;
}

async function upgradeIn(mode: Mode, program: string): Promise<Figure[]> {
  const secret = randomBytes(32).toString("hex");
  const keys = await signKeys(secret);
  const settings = { ...mode.settings, AUTH_JWT_SECRET: secret, SEED: "none" };
  await using opened = new AsyncDisposableStack();
  const start = async (options = {}) => {
    const site = await launchSite(settings, options);
    opened.defer(async () => void (await site.end("SIGKILL")));
    await site.running();
    return site;
  };

  const release = await start({ program });
  const client = await fill(release.url, keys);
  const { data } = await client.auth.getSession();
  const old = await readRows(mode);
  await release.end("SIGTERM");

  const head = await start();
  const rows = [...old.values()].flat().length;
  const differences = countDifferences(old, await readRows(mode));
  const again = createClient(head.url, keys.anonKey, { auth: { persistSession: false } });
  const { error } = await again.auth.refreshSession({ refresh_token: data.session?.refresh_token ?? "" });
  await again.auth.stopAutoRefresh();
  await head.end("SIGTERM");
  return [
    none(`${mode.name}: 0 rows of ${RELEASE} are lost, changed or added`, differences, `${rows} rows`),
    none(`${mode.name}: members remain signed in`, error === null ? 0 : 1, "1 session"),
  ];
}

/** Upgrades from the release's own package to this tree. */
export const upgrade: Drill = {
  name: "upgrade",
  title: `an upgrade from ${RELEASE} keeps every row, and a rolling one fails no request`,
  async run() {
    const goal = `upgrade from ${RELEASE}`;
    const revision = await findRelease();
    if (revision === undefined)
      return [
        { goal, measured: `not run: this copy of the repository doesn't contain ${RELEASE}`, ok: true },
      ];
    await using opened = new AsyncDisposableStack();
    const program = await installRelease(opened, revision);
    const server = await startExternalServer();
    opened.defer(() => server.stop());
    const connectionString = await server.createDatabase();
    const dataDir = await newDataDir();
    opened.defer(() => rm(dataDir, { recursive: true, force: true }));
    const modes: Mode[] = [
      { name: "embedded", settings: { DATA_DIR: dataDir }, connection: () => adminLogin(dataDir) },
      {
        name: "DATABASE_URL",
        settings: { DATABASE_URL: connectionString },
        connection: async () => ({ connectionString }),
      },
    ];
    const figures: Figure[] = [];
    for (const mode of modes) figures.push(...(await upgradeIn(mode, program)));

    if (caddy.version === undefined)
      return [...figures, { goal: "rolling upgrade", measured: "not run: Caddy is not installed", ok: true }];
    return [
      ...figures,
      failures(
        `rolling upgrade of two processes, Caddy ${caddy.version}: no request fails`,
        await replaceInTurn(2, [program, undefined]),
      ),
      failures(
        `rolling return to ${RELEASE}: no request fails`,
        await replaceInTurn(2, [undefined, program]),
      ),
    ];
  },
};
