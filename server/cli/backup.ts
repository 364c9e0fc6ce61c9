import { parseArgs } from "node:util";
import { backUp } from "./backup/backup.ts";
import { runProgram } from "./backup/program.ts";

const usage = `npm run backup -- FILE [--with-sessions | --for-supabase]

Writes a dump of the site, which may be running, to FILE: accounts with their passwords, and all content.
npm run restore loads it, and so does psql.

  --with-sessions   sessions go along: for a move, after which nobody has to sign in anew
  --for-supabase    rows alone, for a Supabase project that has the migrations and no account yet

The keys in DATA_DIR/keys.json are not in it.
`;

/** `npm run backup -- FILE` (docs/deploying.md, 'Backups'). */
await runProgram("backup", usage, async (words, settings, log, print) => {
  const { values, positionals } = parseArgs({
    args: words,
    options: { "with-sessions": { type: "boolean" }, "for-supabase": { type: "boolean" } },
    allowPositionals: true,
  });
  const [file, ...more] = positionals;
  const withSessions = values["with-sessions"] ?? false;
  const forSupabase = values["for-supabase"] ?? false;
  if (file === undefined || more.length > 0 || (withSessions && forSupabase)) return "misused";
  const written = await backUp(settings, file, { withSessions, forSupabase }, log);
  print(
    `${written.file}: ${written.accounts} accounts, ${written.rows} rows, ${written.bytes} bytes. The site's keys (keys.json or AUTH_JWT_SECRET) are not in it.`,
  );
  return "done";
});
