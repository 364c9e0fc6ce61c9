import { chmod, cp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chooseAccount } from "../../server/postgres/embedded/account.ts";
import { findBinaries, makeReachable } from "../../server/postgres/embedded/binaries.ts";
import { clusterExists, createCluster } from "../../server/postgres/embedded/cluster.ts";
import { newDataDir, postgresPid } from "../support/data-dir.ts";
import { adminOf, type SiteHere, startShared, temporaryFolder } from "../support/process.ts";

// PostgreSQL refuses to run as root. If root starts a site, PostgreSQL runs as another account, which cannot enter
// folders such as /root.
const isRoot = process.getuid?.() === 0;

describe.runIf(isRoot)("PostgreSQL under a site that root starts", () => {
  let folder: string;
  let dataDir: string;
  let site: SiteHere;

  beforeAll(async () => {
    folder = await newDataDir();
    await chmod(folder, 0o700);
    dataDir = path.join(folder, "data");
    site = await startShared({ DATA_DIR: dataDir, SEED: "none" });
  });
  afterAll(async () => {
    await site.stop();
    await rm(folder, { recursive: true });
  });

  test("when root starts a site, PostgreSQL runs as another account without capabilities", async () => {
    expect((await fetch(`${site.url}/readyz`)).status).toBe(200);
    const status = await readFile(`/proc/${await postgresPid(dataDir)}/status`, "utf8");
    expect(Number(/^Uid:\s+(\d+)/m.exec(status)?.[1])).toBeGreaterThan(0);
    const capabilities = [...status.matchAll(/^Cap(Inh|Prm|Eff|Amb):\s+(\w+)/gm)].map(([, , set]) => set);
    expect(capabilities.map((set) => Number.parseInt(set ?? "", 16))).toEqual([0, 0, 0, 0]);
  });

  test("the database's superuser cannot read files that only root may read", async () => {
    const superuser = await adminOf(dataDir);
    for (const file of [
      "/etc/shadow",
      path.join(dataDir, "keys.json"),
      path.join(dataDir, "postgres.password"),
    ]) {
      await expect(superuser.query("select pg_read_file($1)", [file])).rejects.toThrow("Permission denied");
    }
  });
});

test.runIf(isRoot)(
  "PostgreSQL binaries inside a root-only folder are copied to a readable one, also by two processes at once",
  async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o755);
    const closed = path.join(folder, "closed");
    await mkdir(closed, { mode: 0o700 });
    const { postgres } = await findBinaries();
    const native = path.join(closed, "native");
    await cp(path.join(path.dirname(postgres), ".."), native, { recursive: true, verbatimSymlinks: true });
    const hidden = { initdb: path.join(native, "bin/initdb"), postgres: path.join(native, "bin/postgres") };
    const data = path.join(closed, "data");
    await mkdir(data);
    const account = chooseAccount(path.join(data, "postgres"));
    const cache = path.join(folder, "cache");
    const [binaries, others] = await Promise.all([1, 2].map(() => makeReachable(hidden, account, cache)));
    if (!binaries) throw new Error("There are no binaries");
    expect(others).toEqual(binaries);
    expect(await readdir(cache)).toHaveLength(1);
    await createCluster(path.join(data, "postgres"), "password", binaries, account);
    expect(await clusterExists(path.join(data, "postgres"))).toBe(true);
    expect(await makeReachable(hidden, account, cache)).toEqual(binaries);
  },
);
