import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { commandLine } from "../../config/command-line.ts";
import { errorMessage } from "../../config/error-message.ts";
import { OperatorError, UsageError } from "../../config/operator-error.ts";
import { megabytes, showProgress } from "../../config/progress.ts";
import { recordBackup } from "../../postgres/last-backup.ts";
import { backupName, deleteOldBackups } from "../dump/backup-folder.ts";
import { compressFor } from "../dump/compression.ts";
import { type Counts, dump } from "../dump/dump-database.ts";
import type { DumpParts } from "../dump/dumped-tables.ts";
import { writeAtomically } from "../dump/write-atomically.ts";
import { type ProgramDefinition, parseArguments } from "../program.ts";

const USAGE = `${commandLine("backup", "FILE")} [--with-sessions] [--without-pictures]
${commandLine("backup", "FOLDER")} [--keep N] [--days N] [--run COMMAND] [--with-sessions] [--without-pictures]

Writes a backup of the site to FILE: all accounts with their password hashes, all content and all pictures. The site
can be running. The command restore loads the backup. If the name of FILE ends with .gz or .zst, the backup is compressed.
In an existing FOLDER, the backup gets a name with the time, such as techfolio-20261126T031500.123Z.sql.zst. To move to a
Supabase project, make the backup without pictures and load it with psql into a project that has the migrations but no
accounts.

  --keep N             then delete all backups in FOLDER but the N newest
  --days N             then delete backups in FOLDER that are older than N days
  --run COMMAND        then run COMMAND in a shell, for example to copy the backup to another machine. Its variable
                       BACKUP has the file's path. If it fails, the backup counts as failed
  --with-sessions      include sessions, so that members stay signed in after a move
  --without-pictures   leave out the pictures, because a Supabase project stores them as files

The backup does not contain the keys in DATA_DIR/keys.json.
`;

const NUMBER = /^[1-9]\d{0,4}$/;

export const backup: ProgramDefinition = {
  name: "backup",
  usage: USAGE,
  async run(args, { settings, backend, log, print }) {
    const { values, positionals } = parseArguments("backup", {
      args,
      options: {
        keep: { type: "string" },
        days: { type: "string" },
        run: { type: "string" },
        "with-sessions": { type: "boolean" },
        "without-pictures": { type: "boolean" },
      },
      allowPositionals: true,
    });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) throw new UsageError('"backup" needs one FILE or FOLDER');
    const retention = { keep: readNumber("keep", values.keep), days: readNumber("days", values.days) };
    const parts = {
      withSessions: values["with-sessions"] ?? false,
      withPictures: values["without-pictures"] !== true,
    };
    const target = path.resolve(name);
    const isFolder = (await stat(target).catch(() => undefined))?.isDirectory() ?? false;
    const isLimited = retention.keep !== undefined || retention.days !== undefined;
    if (isLimited && !isFolder)
      throw new UsageError('"backup" needs an existing FOLDER with --keep and --days');
    const time = new Date();
    const file = isFolder ? path.join(target, backupName(time)) : target;
    await using owner = await backend.connectAsOwner(log, false);
    if (file.startsWith(settings.dataDir + path.sep))
      throw new OperatorError(
        `${file} is in DATA_DIR, which is only for the site's own files: choose another folder.`,
      );
    const isReplaced = existsSync(file);
    const summary = await writeBackup(owner, file, parts).catch((error: unknown) => {
      throw explained(error, owner.user);
    });
    print(
      `${file}: ${summary}. The site's keys (keys.json or AUTH_JWT_SECRET) are not included.${isReplaced ? " The file that was there is replaced." : ""}`,
    );
    if (values.run !== undefined) await runAfterwards(values.run, file);
    if (parts.withPictures)
      await recordBackup(owner, time).catch((error: unknown) =>
        print(`The time of the backup could not be stored in the database (${errorMessage(error)}).`),
      );
    if (!isLimited) return;
    const deleted = await deleteOldBackups(target, retention, time);
    if (deleted > 0) print(`Deleted ${deleted} older backup(s).`);
  },
};

/** Throws OperatorError if the command fails. */
async function runAfterwards(command: string, file: string): Promise<void> {
  const child = spawn("/bin/sh", ["-c", command], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, BACKUP: file },
  });
  const [code, signal] = await once(child, "close");
  if (code === 0) return;
  throw new OperatorError(
    `${file} is complete, but the command after it failed (${signal ?? `exit code ${code}`}), so it doesn't count as a backup: ${command}`,
  );
}

/** Returns how much it wrote, and how long that took. Throws OperatorError, or pg's errors. */
async function writeBackup(owner: pg.Client, file: string, parts: DumpParts): Promise<string> {
  const counts: Counts = new Map();
  let read = 0;
  using progress = showProgress("Making the backup", () => megabytes(read));
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of dump(owner, parts, counts)) {
      read += piece.length;
      yield piece;
    }
  }
  await writeAtomically(file, compressFor(file, counted()));
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const { size } = await stat(file);
  return `${counts.get("auth.users")} accounts, ${rows} rows, ${size} bytes, in ${progress.elapsed()}`;
}

function explained(error: unknown, login: string | undefined): unknown {
  const isForbidden = error instanceof pg.DatabaseError && error.code === "42501";
  if (!isForbidden) return error;
  return new OperatorError(
    `The login ${login} in DATABASE_URL only serves requests, and can't read all data (${error.message}): use the login of the database's owner.`,
  );
}

/** Throws UsageError. */
function readNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (NUMBER.test(text)) return Number(text);
  throw new UsageError(`"backup": --${option} must be a whole number from 1 to 99999, not "${text}"`);
}
