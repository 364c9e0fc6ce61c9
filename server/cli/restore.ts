import { parseArgs } from "node:util";
import { runProgram } from "./backup/program.ts";
import { restore } from "./backup/restore.ts";

const usage = `npm run restore -- FILE

Loads what npm run backup has written into the DATA_DIR or DATABASE_URL of the settings, which must be empty.
A dump is a program for the database: restore none that you do not trust.
`;

/** `npm run restore -- FILE` (docs/deploying.md, 'Backups'). */
await runProgram("restore", usage, async (words, settings, log, print) => {
  const [file, ...more] = parseArgs({ args: words, allowPositionals: true }).positionals;
  if (file === undefined || more.length > 0) return "misused";
  const accounts = await restore(settings, file, log);
  const place = settings.databaseUrl === undefined ? `DATA_DIR ${settings.dataDir}` : "DATABASE_URL";
  print(`${file} is restored into ${place}: ${accounts} accounts. The site starts with npm start.`);
  return "done";
});
