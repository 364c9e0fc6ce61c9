import { existsSync } from "node:fs";
import path from "node:path";
import type { Finding } from "../../common/data/operators.ts";
import { checkKeysMode, readKeys } from "../auth/keys.ts";
import { checkDataDir, prepareDataDir } from "../config/data-directory.ts";
import { LIMITS } from "../config/limits.ts";
import type { Settings } from "../config/settings.ts";
import { openDatabase } from "../postgres/database.ts";
import { chooseAccount } from "../postgres/embedded/account.ts";
import { findBinaries } from "../postgres/embedded/binaries.ts";
import { clusterExists } from "../postgres/embedded/cluster.ts";
import { checkFreeSpace, createDiskCheck, freeBytes } from "../postgres/embedded/disk-check.ts";
import { startPostgres } from "../postgres/embedded/embedded-postgres.ts";
import { ignoreLibpqEnvironment } from "../postgres/embedded/libpq-environment.ts";
import { lockDataDir } from "../postgres/embedded/lock.ts";
import { connectToCluster } from "../postgres/embedded/running-cluster.ts";
import { superuserPassword } from "../postgres/embedded/superuser.ts";
import { adminAccess, explainFailure, prepareDatabase, prepareKeys, serveBuiltIn } from "./built-in.ts";
import { inspectDatabase } from "./findings.ts";
import type { Backend } from "./types.ts";

export function embeddedBackend(settings: Settings): Backend {
  const { dataDir, hasBackupsElsewhere } = settings;
  ignoreLibpqEnvironment();
  const folder = path.join(dataDir, "postgres");
  return {
    location: `DATA_DIR ${dataDir}`,
    async start({ events, log, print }) {
      await prepareDataDir(dataDir);
      await using opened = new AsyncDisposableStack();
      let isNew = false;
      const postgres = await startPostgres(dataDir, log, () => {
        isNew = true;
        print("Creating the database…");
      });
      opened.defer(postgres.stop);
      // Create the keys only after PostgreSQL has started, so that a failed start of PostgreSQL leaves no keys behind.
      const keys = await prepareKeys(settings, log);
      await using owner = await postgres.connect();
      const { connectionString, demo } = await explainFailure(`DATA_DIR ${dataDir}`, "", () =>
        prepareDatabase(owner, postgres.connectionString, settings.seed, keys.jwtSecret, log),
      );
      const database = openDatabase({ connectionString, log });
      const api = await serveBuiltIn({
        settings,
        keys,
        database,
        events,
        log,
        print,
        isDiskFull: createDiskCheck(dataDir, log),
        connectAsOwner: postgres.connect,
        hasRoomFor: async (bytes) => (await freeBytes(dataDir)) > bytes + LIMITS.freeDiskSpace.toGrow,
      });
      const running = opened.move();
      return {
        ...api,
        demo,
        isNew,
        async close(deadline) {
          await api.close(deadline);
          await running.disposeAsync();
        },
      };
    },
    async check(isSiteRunning, log) {
      const finding = (text: string): Finding => ({ topic: "data", isProblem: false, text });
      await findBinaries(chooseAccount(folder));
      if (!existsSync(dataDir)) return [finding(`DATA_DIR ${dataDir} will be created by the first start.`)];
      await checkDataDir(dataDir);
      await checkFreeSpace(dataDir);
      const keys = await readKeys(settings);
      await checkKeysMode(settings);
      const usable = `DATA_DIR ${dataDir} can be used.`;
      if (!(await clusterExists(folder)))
        return [finding(`${usable} The database will be created by the first start.`)];
      if (!isSiteRunning) lockDataDir(dataDir)();
      await superuserPassword(dataDir);
      await using client = await connectToCluster(dataDir, log, false);
      const text = `${usable} ${isSiteRunning ? "PostgreSQL is running." : "PostgreSQL starts with the site."}`;
      const inspected = { client, jwtSecret: keys?.jwtSecret, isExternal: false, hasBackupsElsewhere };
      return [finding(text), ...(await inspectDatabase(inspected))];
    },
    adminAccess: () => adminAccess(settings),
    connectAsOwner: (log, canCreate) => connectToCluster(dataDir, log, canCreate),
  };
}
