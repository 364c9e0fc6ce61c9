import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, lstat, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { constants } from "node:os";
import path from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { type Counts, dump } from "../../server/cli/dump/dump-database.ts";
import { backup } from "../../server/cli/programs/backup.ts";
import { restore } from "../../server/cli/programs/restore.ts";
import { startSiteOn } from "../support/backups.ts";
import { makeMember, startTestDatabase } from "../support/database.ts";
import { temporaryCluster, temporaryFolder } from "../support/process.ts";
import { runHere } from "../support/run-here.ts";

test("the backup command names a missing folder or database in its error, and refuses to write into DATA_DIR", async () => {
  const folder = await temporaryFolder();
  const site = await startSiteOn(await temporaryCluster());
  const missing = path.join(folder, "missing/site.sql");
  const noFolder = await runHere(backup, [missing], { DATA_DIR: site.dataDir });
  expect(noFolder).toMatchObject({ code: 1, stdout: "" });
  expect(noFolder.stderr).toContain(`${missing} cannot be written`);
  const noSite = await runHere(backup, [path.join(folder, "x")], {
    DATA_DIR: folder,
  });
  expect(noSite.stderr).toContain(`There is no database in DATA_DIR ${folder}`);
  expect(await readdir(folder)).toEqual([]);
  // A backup in DATA_DIR would keep the site from starting, because the site rejects a DATA_DIR with unknown files.
  const inside = path.join(site.dataDir, "site.sql");
  expect(await runHere(backup, [inside], { DATA_DIR: site.dataDir })).toMatchObject({
    code: 1,
    stderr: `${inside} is in DATA_DIR, which is only for the site's own files: choose another folder.\n`,
  });
});

test("a backup with a wrong or missing database password is refused, whether or not the site is running", async () => {
  const site = await startSiteOn(await temporaryCluster());
  const file = path.join(await temporaryFolder(), "site.sql");
  const secret = path.join(site.dataDir, "postgres.password");
  const password = await readFile(secret, "utf8");
  const expectRefused = async (reason: string) =>
    expect(await runHere(backup, [file], { DATA_DIR: site.dataDir })).toEqual({
      code: 1,
      stdout: "",
      stderr: `The database in DATA_DIR ${site.dataDir} cannot be used${reason}.\n`,
    });
  const expectRefusedWithoutPassword = async () => {
    await writeFile(secret, "another one");
    await expectRefused(': password authentication failed for user "postgres"');
    await rm(secret);
    await expectRefused(" without its password: restore the file postgres.password");
    expect(existsSync(secret)).toBe(false);
  };
  await expectRefusedWithoutPassword();
  await site.stop();
  await expectRefusedWithoutPassword();

  await writeFile(secret, password);
  const retry = await runHere(backup, [file], { DATA_DIR: site.dataDir });
  expect(retry).toMatchObject({ code: 0, stderr: "" });
});

test("a backup file is readable only by its owner, and a backup that fails midway leaves the previous file unchanged", async () => {
  const database = await startTestDatabase();
  onTestFinished(() => database.stop());
  await makeMember(database.admin);
  const { writeAtomically } = await import("../../server/cli/dump/write-atomically.ts");
  const file = path.join(await temporaryFolder(), "site.sql");
  await writeFile(file, "the backup of yesterday");
  await chmod(file, 0o644);
  const client = new pg.Client({ ...database.admin.options });
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const counts: Counts = new Map();
  async function* cutOff() {
    for await (const piece of dump(client, { withSessions: false, withPictures: true }, counts)) {
      yield piece;
      if (counts.size === 1) await database.admin.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    }
  }
  await expect(writeAtomically(file, cutOff())).rejects.toThrow();
  expect(await readFile(file, "utf8")).toBe("the backup of yesterday");
  expect(await readdir(path.dirname(file))).toEqual(["site.sql"]);

  async function* fillTheDisk(): AsyncGenerator<Buffer> {
    yield Buffer.from("half of it");
    // The error Node throws when write(2) fails on a full disk.
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), {
      errno: -constants.errno.ENOSPC,
      code: "ENOSPC",
      syscall: "write",
    });
  }
  await expect(writeAtomically(file, fillTheDisk())).rejects.toThrow(
    `${file} cannot be written: no space left on device.`,
  );
  expect(await readdir(path.dirname(file))).toEqual(["site.sql"]);

  await writeAtomically(
    file,
    (async function* () {
      yield Buffer.from("the backup of today");
    })(),
  );
  expect(await readFile(file, "utf8")).toBe("the backup of today");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("an earlier release refuses to back up a database that a newer release has migrated, and names the remedy", async () => {
  const database = await startTestDatabase();
  onTestFinished(() => database.stop());
  await database.admin.query(
    "insert into supabase_migrations.schema_migrations (version) values ('99990101000000')",
  );
  const client = new pg.Client({ ...database.admin.options });
  await client.connect();
  onTestFinished(() => client.end());
  await expect(dump(client, { withSessions: false, withPictures: true }, new Map()).next()).rejects.toThrow(
    "The database has the migration 99990101000000, which this release of Techfolio does not have: make the backup with the newer release that added it.",
  );
});

test("a backup writes through a symbolic link, and refuses to replace a socket or a folder", async () => {
  const { writeAtomically } = await import("../../server/cli/dump/write-atomically.ts");
  const folder = await temporaryFolder();
  const [disk, file] = [path.join(folder, "disk.sql"), path.join(folder, "site.sql")];
  await writeFile(disk, "the backup of yesterday");
  await symlink(disk, file);
  const today = async function* () {
    yield Buffer.from("the backup of today");
  };
  await writeAtomically(file, today());
  expect((await lstat(file)).isSymbolicLink()).toBe(true);
  expect(await readFile(disk, "utf8")).toBe("the backup of today");
  const socket = path.join(folder, "socket");
  const listener = createServer().listen(socket);
  onTestFinished(() => void listener.close());
  await once(listener, "listening");
  for (const target of [socket, folder])
    await expect(writeAtomically(target, today())).rejects.toThrow(
      `${target} is not a regular file: choose another name`,
    );
});

test.each([
  [backup, [], '"backup" needs one FILE or FOLDER'],
  [backup, ["one.sql", "two.sql"], '"backup" needs one FILE or FOLDER'],
  [backup, ["one.sql", "--keep", "3"], '"backup" needs an existing FOLDER with --keep and --days'],
  [backup, [".", "--keep", "0"], '"backup": --keep must be a whole number from 1 to 99999, not "0"'],
  [backup, [".", "--days", "x"], '"backup": --days must be a whole number from 1 to 99999, not "x"'],
  [backup, ["one.sql", "--with-dessert"], `"backup": Unknown option '--with-dessert'`],
  [restore, [], '"restore" needs one FILE'],
])(
  "npm run $0.name with the arguments $1 fails with one line that names the mistake and the --help option",
  async (program, args, reason) => {
    const DATA_DIR = await temporaryFolder();
    const result = await runHere(program, args, { DATA_DIR });
    expect(result).toEqual({
      code: 2,
      stdout: "",
      stderr: `${reason}. See npm run ${program.name} -- --help\n`,
    });
  },
);

test("backup and restore refuse to run against a Supabase project", async () => {
  const settings = {
    SUPABASE_URL: "http://127.0.0.1:9",
    SUPABASE_PUBLISHABLE_KEY: randomBytes(8).toString("hex"),
  };
  for (const program of [backup, restore]) {
    const { code, stderr } = await runHere(program, ["site.sql"], settings);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^With SUPABASE_URL, [^\n]+\n$/);
  }
});
