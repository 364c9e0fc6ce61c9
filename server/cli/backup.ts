import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError, UsageError } from "../config/operator-error.ts";
import { type Counts, dump } from "./dump/dump-database.ts";
import { writeAtomically } from "./dump/write-atomically.ts";
import { parseArguments, runProgram } from "./program.ts";

const USAGE = `npm run backup -- FILE [--with-sessions] [--without-pictures]

Writes a backup of the site to FILE: all accounts with their password hashes, all content and all pictures. The site
can be running. npm run restore loads the backup. To move to a Supabase project, make the backup without pictures and
load it with psql into a project that has the migrations but no accounts.

  --with-sessions      include sessions, so that members stay signed in after a move
  --without-pictures   leave out the pictures, because a Supabase project stores them as files

FILE does not contain the keys in DATA_DIR/keys.json.
`;

await runProgram("backup", USAGE, async (args, { settings, backend, log, print }) => {
  const { values, positionals } = parseArguments("backup", {
    args,
    options: { "with-sessions": { type: "boolean" }, "without-pictures": { type: "boolean" } },
    allowPositionals: true,
  });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UsageError('"backup" needs one FILE');
  const file = path.resolve(name);
  await using owner = await backend.connectAsOwner(log, "existing");
  if (file.startsWith(settings.dataDir + path.sep))
    throw new OperatorError(
      `${file} is in DATA_DIR, which is only for the site's own files: choose another folder.`,
    );
  const parts = {
    withSessions: values["with-sessions"] ?? false,
    withPictures: values["without-pictures"] !== true,
  };
  const counts: Counts = new Map();
  const isReplaced = existsSync(file);
  await writeAtomically(file, dump(owner, parts, counts));
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  print(
    `${file}: ${counts.get("auth.users")} accounts, ${rows} rows, ${(await stat(file)).size} bytes. The site's keys (keys.json or AUTH_JWT_SECRET) are not included.${isReplaced ? " The file that was there is replaced." : ""}`,
  );
});
