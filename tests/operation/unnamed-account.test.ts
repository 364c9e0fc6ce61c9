import { chmod } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../support/command.ts";
import { NODE, ROOT } from "../support/node.ts";
import { startProcess, temporaryFolder } from "../support/process.ts";

// As OpenShift runs containers: the user has no entry in /etc/passwd, but its group root can write to the volume.
const AS_UNNAMED = ["setpriv", "--reuid=12345", "--regid=0", "--clear-groups"];

const canRun = async (...command: string[]) => {
  const [program = "", ...args] = command;
  return (await runCommand(program, args).catch(() => undefined))?.code === 0;
};
const { stderr: loaderError } = await runCommand("true", [], { LD_PRELOAD: "libnss_wrapper.so" });
const canSwitch =
  (await canRun(...AS_UNNAMED, NODE, "--version")) &&
  (await canRun(...AS_UNNAMED, "test", "-r", path.join(ROOT, "package.json")));

test("a site starts twice as an account without an entry in /etc/passwd, in a folder that its group can write", async ({
  skip,
}) => {
  skip(!canSwitch, "the test can't start the site as another account");
  skip(loaderError !== "", "libnss_wrapper is not installed");
  const DATA_DIR = await temporaryFolder();
  await chmod(DATA_DIR, 0o770);
  // The other tests' cache belongs to another account, and loading the modules without one takes longer.
  const NODE_COMPILE_CACHE = await temporaryFolder();
  await chmod(NODE_COMPILE_CACHE, 0o777);
  for (let round = 0; round < 2; round++) {
    const site = await startProcess({ DATA_DIR, SEED: "none", NODE_COMPILE_CACHE }, { prefix: AS_UNNAMED });
    await site.running();
    expect((await fetch(site.url)).status).toBe(200);
    expect(await site.end("SIGTERM")).toEqual({ code: 0, signal: null });
  }
});
