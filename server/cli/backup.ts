import { parseArgs } from "node:util";
import { UsageError } from "./command-error.ts";
import { writeBackup } from "./dump/write-backup.ts";
import { runProgram } from "./program.ts";

const USAGE = `npm run backup -- FILE [--with-sessions | --for-supabase]

Writes a dump of the site, which may be running, to FILE: accounts with their passwords, and all content.
npm run restore loads it, and so does psql.

  --with-sessions   includes sessions: for a move, after which nobody has to sign in again
  --for-supabase    only rows, for a Supabase project that has the migrations and no account yet

The keys in DATA_DIR/keys.json are not in it.
`;

await runProgram("backup", USAGE, async (words, { backend, log, print }) => {
  const { values, positionals } = parseArgs({
    args: words,
    options: { "with-sessions": { type: "boolean" }, "for-supabase": { type: "boolean" } },
    allowPositionals: true,
  });
  const [file, ...more] = positionals;
  const withSessions = values["with-sessions"] ?? false;
  const forSupabase = values["for-supabase"] ?? false;
  if (file === undefined || more.length > 0 || (withSessions && forSupabase)) throw new UsageError();
  const database = await backend.connectAsOwner(log);
  try {
    const written = await writeBackup(database.client, file, { withSessions, forSupabase });
    print(
      `${written.file}: ${written.accounts} accounts, ${written.rows} rows, ${written.bytes} bytes. The site's keys (keys.json or AUTH_JWT_SECRET) are not in it.`,
    );
  } finally {
    await database.close();
  }
});
