import { copyFile, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { KINDS } from "../../common/kinds/index.ts";
import { DUMPED_TABLES } from "../../server/cli/dump/dumped-tables.ts";
import { backUp, MEMBER_LOGIN, restore, startSite } from "../support/backups.ts";
import { readKeys } from "../support/data-dir.ts";
import { exampleRow } from "../support/example-rows.ts";
import { startExternalServer } from "../support/external-server.ts";
import { adminOf, clientOf, temporaryFolder } from "../support/process.ts";

/**
 * Written by 0.1.0. Don't change it. The next release adds another file:
 * WRITE_RELEASE_BACKUP=1 npx vitest run tests/operation/upgrade
 */
const BACKUP = path.join(import.meta.dirname, "../support/backup-0.1.0.sql");

type Row = Record<string, string>;

/** Returns each table's rows, in PostgreSQL's text format for COPY. */
async function readDump(file: string): Promise<Map<string, Row[]>> {
  const tables = new Map<string, Row[]>();
  const dump = await readFile(file, "utf8");
  for (const [, table = "", list = "", data = ""] of dump.matchAll(
    /^copy (\S+) \((.+)\) from stdin;\n([\s\S]*?)^\\\.$/gm,
  )) {
    const columns = list.split(", ");
    const lines = data.split("\n").filter((line) => line !== "");
    const rows = lines.map((line) => {
      const values = line.split("\t");
      return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? ""]));
    });
    tables.set(table, rows);
  }
  return tables;
}

test.runIf(process.env["WRITE_RELEASE_BACKUP"])("writes the backup of this release", async () => {
  const site = await startSite(2_000);
  const member = clientOf(site, (await readKeys(site.dataDir)).anonKey);
  await member.auth.signInWithPassword(MEMBER_LOGIN);
  const skill = { profile_id: site.member, category: "sql", name: "Window functions" };
  expect((await member.from("skills").insert(skill)).error).toBeNull();
  for (const kind of KINDS) {
    const row = exampleRow(kind, site.member);
    const { data, error } = await member.from(kind.table).insert(row).select("id").single();
    expect(error).toBeNull();
    const changed = await member.from(kind.table).update({ title: "Changed" }).eq("id", data?.["id"]);
    expect(changed.error).toBeNull();
  }
  const admin = await adminOf(site.dataDir);
  await admin.query(
    `insert into auth.identities (provider, provider_id, user_id, identity_data)
     select 'oidc', 'subject', id, jsonb_build_object('sub', 'subject', 'email', email) from auth.users`,
  );
  await admin.query(
    `insert into public.operator_log (operator, action, target) values ('member', 'feature', 'keeper@example.com')`,
  );
  await copyFile(await backUp({ DATA_DIR: site.dataDir }), BACKUP);
});

const external = await startExternalServer();
afterAll(() => external.stop());

test.each([
  ["DATA_DIR", async () => ({ DATA_DIR: path.join(await temporaryFolder(), "data") })],
  ["DATABASE_URL", async () => ({ DATABASE_URL: await external.createDatabase() })],
])(
  "a backup made by 0.1.0 can be restored into %s, and every value of every table is there",
  async (_name, newSettings) => {
    const old = await readDump(BACKUP);
    const filled = [...old].filter(([, rows]) => rows.length > 0).map(([table]) => table);
    const isSession = (table: string) => /sessions|tokens/.test(table);
    expect(filled).toEqual(DUMPED_TABLES.filter((table) => old.has(table) && !isSession(table)));
    expect(filled).toEqual(
      expect.arrayContaining(["public.versions", "public.operator_log", "storage.objects"]),
    );

    const settings = await newSettings();
    expect(await restore(BACKUP, settings)).toMatchObject({ code: 0, stderr: "" });
    const restored = await readDump(await backUp(settings));
    for (const [table, rows] of old) {
      const columns = Object.keys(rows[0] ?? {});
      const onlyOld = (row: Row) => JSON.stringify(columns.map((column) => row[column]));
      expect((restored.get(table) ?? []).map(onlyOld).sort(), table).toEqual(rows.map(onlyOld).sort());
    }
  },
);
