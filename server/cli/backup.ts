import { stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError, UsageError } from "../config/operator-error.ts";
import { type Counts, dump } from "./dump/dump-database.ts";
import { writeWhole } from "./dump/whole-file.ts";
import { parseWords, runProgram } from "./program.ts";

const USAGE = `npm run backup -- FILE [--with-sessions] [--without-pictures]

Writes a dump of the site, which may be running, to FILE: accounts with their passwords, all content and all pictures.
npm run restore loads it. psql loads one without pictures into a Supabase project that has the migrations and no
account yet.

  --with-sessions      includes sessions, for a move after which members stay signed in
  --without-pictures   leaves the pictures out: for a move to a Supabase project, which stores them as files

The keys in DATA_DIR/keys.json are not in it.
`;

await runProgram("backup", USAGE, async (words, { settings, backend, log, print }) => {
  const { values, positionals } = parseWords("backup", {
    args: words,
    options: { "with-sessions": { type: "boolean" }, "without-pictures": { type: "boolean" } },
    allowPositionals: true,
  });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UsageError('"backup" needs one FILE');
  const file = path.resolve(name);
  await using owner = await backend.connectAsOwner(log, "existing");
  if (file.startsWith(settings.dataDir + path.sep))
    throw new OperatorError(
      `${file} lies in DATA_DIR, which is the site's own folder: name a file elsewhere.`,
    );
  const parts = {
    withSessions: values["with-sessions"] ?? false,
    withPictures: values["without-pictures"] !== true,
  };
  const counts: Counts = new Map();
  await writeWhole(file, dump(owner, parts, counts));
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  print(
    `${file}: ${counts.get("auth.users")} accounts, ${rows} rows, ${(await stat(file)).size} bytes. The site's keys (keys.json or AUTH_JWT_SECRET) are not in it.`,
  );
});
