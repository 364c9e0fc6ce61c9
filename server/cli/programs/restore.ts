import { commandLine } from "../../config/command-line.ts";
import { UsageError } from "../../config/operator-error.ts";
import { restoreBackup } from "../dump/restore-backup.ts";
import { type ProgramDefinition, parseArguments } from "../program.ts";

const USAGE = `${commandLine("restore", "FILE")}

Loads the backup FILE, which may be compressed (gzip or zstd). The target, which is DATA_DIR or DATABASE_URL in the
settings, must be empty.
`;

export const restore: ProgramDefinition = {
  name: "restore",
  usage: USAGE,
  async run(args, { backend, log, print }) {
    const [file, ...more] = parseArguments("restore", { args, allowPositionals: true }).positionals;
    if (file === undefined || more.length > 0) throw new UsageError('"restore" needs one FILE');
    const loaded = await restoreBackup(backend, file, log);
    print(`${file} was restored into ${backend.location}: ${loaded}. Start the site.`);
  },
};
