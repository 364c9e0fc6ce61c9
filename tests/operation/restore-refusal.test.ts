import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { dump } from "../../server/cli/dump/dump-database.ts";
import { MEMBER_LOGIN, restore, startSiteOn } from "../support/backups.ts";
import { makeOnce } from "../support/cluster.ts";
import type { Result } from "../support/command.ts";
import { adminLogin } from "../support/data-dir.ts";
import { makeMember, startTestDatabase } from "../support/database.ts";
import { startExternalServer } from "../support/external-server.ts";
import { startHere, temporaryCluster, temporaryFolder } from "../support/process.ts";
import { readAllRows } from "../support/rows.ts";

const external = await startExternalServer();
afterAll(() => external.stop());
/** For tests of backups that are rejected, which leave it empty. */
const emptyDatabase = { DATABASE_URL: await external.createDatabase() };

// The tests restore a small dump of a database with one account, or a damaged copy of that dump.
const database = await startTestDatabase();
await makeMember(database.admin, MEMBER_LOGIN.email);
const client = new pg.Client({ ...database.admin.options });
await client.connect();
const pieces: Buffer[] = [];
for await (const piece of dump(client, { withSessions: false, withPictures: true }, new Map()))
  pieces.push(piece);
const completeDump = Buffer.concat(pieces).toString();
await client.end();
await database.stop();

function expectRefusal({ code, stdout, stderr }: Result, message: string) {
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^[^\n]+\n$/);
}

const rejectedDumps: [string, (dump: string) => string, string][] = [
  [
    "that ends in the middle of a table",
    (dump) => dump.slice(0, dump.indexOf(MEMBER_LOGIN.email)),
    "its end is missing",
  ],
  ["that ends before its last line", (dump) => dump.trimEnd().replace(/\n[^\n]*$/, ""), "its end is missing"],
  [
    "with an extra column in a row",
    (dump) => dump.replace(`\t${MEMBER_LOGIN.email}\t`, `\t${MEMBER_LOGIN.email}\t\\N\t`),
    "extra data",
  ],
  [
    "with a custom column",
    (dump) => dump.replace("copy public.profiles (", "copy public.profiles (level2, "),
    'column "level2" of relation "profiles" does not exist',
  ],
  [
    "with a custom table",
    (dump) => dump.replace("copy public.skills (", "copy public.skills2 ("),
    "cannot be loaded (copy public.skills2",
  ],
  [
    "of a newer Techfolio",
    (dump) => dump.replace(/migration \d+/, "migration 99990101000000"),
    "made by a newer release of Techfolio",
  ],
  ["from another program", () => "-- PostgreSQL database dump\n", "is not a backup"],
  ["that is empty", () => "", "is empty, so the backup or its copy was not completed"],
];

test.each(rejectedDumps)(
  "a backup %s is rejected, and the database stays empty",
  async (_case, damage, message) => {
    const damaged = damage(completeDump);
    expect(damaged).not.toBe(completeDump);
    const folder = await temporaryFolder();
    const file = path.join(folder, "site.sql");
    await writeFile(file, damaged);
    expectRefusal(await restore(file, emptyDatabase), message);
    expect(await readAllRows({ connectionString: emptyDatabase.DATABASE_URL })).toEqual(new Map());
  },
);

describe.each([
  ["gzip", gzipSync],
  ["zstd", zstdCompressSync],
])("a backup compressed by %s", (_name, compress) => {
  test("is loaded, whatever its file's name is", async () => {
    const file = path.join(await temporaryFolder(), "site.sql");
    await writeFile(file, compress(completeDump));
    const DATABASE_URL = await external.createDatabase();
    expect(await restore(file, { DATABASE_URL })).toMatchObject({ code: 0, stderr: "" });
    const rows = await readAllRows({ connectionString: DATABASE_URL });
    expect(rows.get("auth.users")?.join()).toContain(MEMBER_LOGIN.email);
  });

  test.each([
    ["half of which was copied", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ["without its last byte", (bytes: Buffer) => bytes.subarray(0, -1)],
    [
      "with other bytes in its middle",
      (bytes: Buffer) => Buffer.from(bytes).fill(7, Math.floor(bytes.length / 2)),
    ],
  ])("%s is rejected as incomplete, and the database stays empty", async (_case, damage) => {
    const file = path.join(await temporaryFolder(), "site.sql.zst");
    await writeFile(file, damage(compress(completeDump)));
    expectRefusal(await restore(file, emptyDatabase), "incomplete");
    expect(await readAllRows({ connectionString: emptyDatabase.DATABASE_URL })).toEqual(new Map());
  });
});

test.each(["Techfolio backup", "copy auth.users", MEMBER_LOGIN.email, "End of the"])(
  "a compressed backup with a changed byte in “%s” is rejected as damaged, and the database stays empty",
  async (place) => {
    // Without compression, the changed text is read before the checksum at the end of the file.
    const bytes = gzipSync(completeDump, { level: 0 });
    bytes.write("?", bytes.indexOf(place) + 6);
    const file = path.join(await temporaryFolder(), "site.sql.gz");
    await writeFile(file, bytes);
    expectRefusal(await restore(file, emptyDatabase), "The backup is incomplete or damaged");
    expect(await readAllRows({ connectionString: emptyDatabase.DATABASE_URL })).toEqual(new Map());
  },
);

test("a backup with a blank line at its end is loaded", async () => {
  const file = path.join(await temporaryFolder(), "site.sql");
  await writeFile(file, `${completeDump}\n\n`);
  const DATABASE_URL = await external.createDatabase();
  expect((await restore(file, { DATABASE_URL })).code).toBe(0);
});

test("a restore loads the rows of a backup and skips its other statements", async () => {
  const file = path.join(await temporaryFolder(), "site.sql");
  await writeFile(file, completeDump.replace("begin;", "begin;\ncreate table public.thesis (chapter text);"));
  const DATABASE_URL = await external.createDatabase();
  expect((await restore(file, { DATABASE_URL })).code).toBe(0);
  const rows = await readAllRows({ connectionString: DATABASE_URL });
  expect([rows.has("public.thesis"), rows.get("auth.users")?.length]).toEqual([false, 1]);
});

test("a restore into a database with tables is refused, and creates nothing", async () => {
  const file = path.join(await temporaryFolder(), "site.sql");
  await writeFile(file, completeDump);
  const DATABASE_URL = await external.createDatabase();
  const name = new URL(DATABASE_URL).pathname.slice(1);
  await external.query("create table public.thesis (chapter text)", name);
  const refused = await restore(file, { DATABASE_URL });
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("is not empty (it has public.thesis)");
  expect(
    (await external.query("select nspname from pg_namespace where nspname = 'auth'", name)).rows,
  ).toEqual([]);
});

test("a restore into a site's DATA_DIR is refused, whether or not the site is running", async () => {
  const file = path.join(await temporaryFolder(), "site.sql");
  await writeFile(file, completeDump);
  const site = await startSiteOn(await temporaryCluster());
  const refused = await restore(file, { DATA_DIR: site.dataDir });
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  const message = `The database in DATA_DIR ${site.dataDir} is not empty`;
  expect(refused.stderr).toContain(message);
  expect((await fetch(`${site.url}/readyz`)).status).toBe(200);
  await site.stop();
  expect((await restore(file, { DATA_DIR: site.dataDir })).stderr).toContain(message);
  const again = await startSiteOn(site.dataDir);
  expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
});

describe("after a restore has failed in a new DATA_DIR", () => {
  /**
   * Returns the DATA_DIR of a restore that has failed: it contains an empty database. A killed restore leaves the same,
   * because a restore commits only once, at its end.
   */
  async function failedRestore(): Promise<string> {
    const folder = await temporaryFolder();
    const dataDir = path.join(folder, "data");
    await mkdir(dataDir, { mode: 0o700 });
    await makeOnce("failed-restore", dataDir, async () => {
      const file = path.join(folder, "site.sql");
      await writeFile(file, completeDump.slice(0, completeDump.indexOf(MEMBER_LOGIN.email)));
      expectRefusal(await restore(file, { DATA_DIR: dataDir }), "its end is missing");
    });
    return dataDir;
  }

  test("a new site can start in that DATA_DIR", async () => {
    const site = await startHere({ DATA_DIR: await failedRestore() });
    expect(site.stdout()).toContain("Sign in as");
  });

  test("another restore into that DATA_DIR succeeds", async () => {
    const dataDir = await failedRestore();
    const file = path.join(await temporaryFolder(), "site.sql");
    await writeFile(file, completeDump);
    expect(await restore(file, { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: "" });
    const rows = await readAllRows(await adminLogin((await startSiteOn(dataDir)).dataDir));
    expect(rows.get("auth.users")).toHaveLength(1);
  });
});
