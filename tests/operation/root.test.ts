import { chmod, chown, cp, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { chooseAccount } from "../../server/postgres/embedded/account.ts";
import { findBinaries } from "../../server/postgres/embedded/binaries.ts";
import { clusterExists, createCluster } from "../../server/postgres/embedded/cluster.ts";
import { postgresPid } from "../fixtures/data-dir.ts";
import { adminOf, startProcess, temporaryFolder } from "../fixtures/process.ts";

// PostgreSQL refuses to run as root, and nobody else may enter /root: everything may lie below such a folder.
const isRoot = process.getuid?.() === 0;

test.runIf(isRoot)(
  "as root the database runs as somebody else, below a folder that only root may enter",
  async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o700);
    const dataDir = path.join(folder, "data");
    const site = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
    await site.running();
    expect((await fetch(`${site.url}/readyz`)).status).toBe(200);
    await (await adminOf(dataDir)).query("select 1");
    const status = await readFile(`/proc/${await postgresPid(dataDir)}/status`, "utf8");
    const [, uid] = /^Uid:\s+(\d+)/m.exec(status) ?? [];
    expect(Number(uid)).toBeGreaterThan(0);
    // The right to pass through, and no other (capabilities(7): CAP_DAC_READ_SEARCH is 2, CAP_DAC_OVERRIDE 1).
    const [, rights] = /^CapEff:\s+(\w+)/m.exec(status) ?? [];
    expect([2, 4]).toContain(Number.parseInt(rights ?? "", 16));
  },
);

test.runIf(isRoot)("the programs themselves may lie below such a folder", async () => {
  const folder = await temporaryFolder();
  await chmod(folder, 0o700);
  const { postgres } = await findBinaries();
  const native = path.join(folder, "native");
  await cp(path.join(path.dirname(postgres), ".."), native, { recursive: true, verbatimSymlinks: true });
  const binaries = { initdb: path.join(native, "bin/initdb"), postgres: path.join(native, "bin/postgres") };
  const data = path.join(folder, "data");
  await mkdir(data);
  const account = chooseAccount(path.join(data, "postgres"));
  if (account === undefined) throw new Error("No account");
  await chown(data, account.uid, account.gid);
  await createCluster(path.join(data, "postgres"), "password", binaries, account);
  expect(await clusterExists(path.join(data, "postgres"))).toBe(true);
});
