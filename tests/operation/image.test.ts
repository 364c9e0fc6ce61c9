import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ExternalServer, startExternalServer } from "../support/external-server.ts";
import { freePort } from "../support/free-port.ts";
import { ENVIRONMENT, NODE, ROOT } from "../support/node.ts";
import { startProcess } from "../support/process.ts";

// Runs the Dockerfile's shell lines, and then the commands of the Dockerfile, of compose.yaml and of the guide in the
// folder that they write. Only the images, and what needs root, are missing.

/** Packages that a release loads only if they are installed: for development, and on request. */
const NOT_INSTALLED = ["vite", "pg-native"];

/** Returns the packages that the JavaScript modules of a folder import. */
async function importedPackages(folder: string): Promise<Set<string>> {
  const imported = new Set<string>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of entries.filter((entry) => entry.isFile())) {
    if (!name.endsWith(".js") || parentPath.includes("build/client")) continue;
    const text = await readFile(path.join(parentPath, name), "utf8");
    const source = text.replace(/\/\*\*.*?\*\//gs, "");
    const imports = source.matchAll(
      /^(?:import|export) [^;"]*?"([^".][^"]*)";$|^import "([^".][^"]*)"|\bimport\("([^".][^"]*)"\)|\b__require\("([^".][^"]*)"\)/gm,
    );
    for (const [, ...names] of imports) {
      const name = names.find((each) => each !== undefined) ?? "";
      if (!isBuiltin(name)) imported.add(/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? "");
    }
  }
  return imported;
}

const read = (file: string) => readFile(path.join(ROOT, file), "utf8");

let folder: string;
let context: string;
let app: string;
let database: ExternalServer;

/** Returns the shell commands of the Dockerfile's first stage. */
async function shellLines(): Promise<string[]> {
  const [, stage = ""] = (await read("Dockerfile")).split(/^FROM .*$/m);
  const joined = stage.replace(/\\\n\s*/g, "");
  return [...joined.matchAll(/^RUN (.+)$/gm)].map(([, command = ""]) => command);
}

/** Writes a program `npm` that packs like npm, and installs by linking what is installed here. */
async function writeNpm(programs: string): Promise<void> {
  const npm = spawnSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).stdout.trim();
  const install = `[ -f package-lock.json ] && { [ -e node_modules ] || ln -s "${ROOT}/node_modules" node_modules; }`;
  await mkdir(programs);
  await writeFile(
    path.join(programs, "npm"),
    `#!/bin/sh\ncase $1 in ci) ${install};; *) exec "${npm}" "$@";; esac\n`,
  );
  await chmod(path.join(programs, "npm"), 0o755);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "techfolio-image-"));
  context = path.join(folder, "source");
  app = path.join(folder, "app");
  await mkdir(context);
  const kept = (await read(".dockerignore")).matchAll(/^!(.+)$/gm);
  for (const [, name = ""] of kept) {
    await cp(path.join(ROOT, name), path.join(context, name), { recursive: true });
  }
  // The last build is used again if it is of the sources in the context, as its stamp shows. If one is missing, the site
  // is built from the others.
  await cp(path.join(ROOT, "build"), path.join(context, "build"), { recursive: true });
  await writeNpm(path.join(folder, "programs"));
  for (const line of await shellLines()) {
    const command = `set -e; ${line.replaceAll(/(?<![\w.])\/app\b/g, app)}`;
    const { status, stderr } = spawnSync("sh", ["-c", command], {
      cwd: context,
      env: { ...ENVIRONMENT, HOME: folder, PATH: `${path.join(folder, "programs")}:${process.env["PATH"]}` },
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${line}: ${stderr}`);
  }
  database = await startExternalServer();
});

afterAll(async () => {
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
});

test("the Dockerfile's shell lines pack and unpack a release, and npm installs all other packages that its modules import", async () => {
  for (const file of ["build/server/index.js", "server/main.js", "server/cli/doctor.js", "supabase/seed.sql"])
    expect(existsSync(path.join(app, "dist", file)), file).toBe(true);
  const { dependencies } = JSON.parse(await read("package.json"));
  const imported = await importedPackages(path.join(app, "dist"));
  expect([...imported]).toContain("bcrypt");
  const missing = [...imported].filter((name) => !(name in dependencies) && !NOT_INSTALLED.includes(name));
  expect(missing).toEqual([]);
});

/** Returns the environment that compose.yaml gives to a process of the site. */
async function composeEnvironment(): Promise<Record<string, string>> {
  const file: Record<string, string> = {
    SITE_HOST: "techfolio.example",
    POSTGRES_PASSWORD: "only0letters",
    AUTH_JWT_SECRET: "a secret of at least thirty-two characters",
    METRICS_TOKEN: "token-of-the-metrics",
  };
  const site = /^x-site:.*?^services:/ms.exec(await read("compose.yaml"))?.[0] ?? "";
  return Object.fromEntries(
    [...site.matchAll(/^ {4}([A-Z_]+): "?(.*?)"?$/gm)].map(([, name = "", value = ""]) => [
      name,
      value.replace(/\$\{([A-Z_]+):[-?][^}]*\}/g, (_, key: string) => file[key] ?? ""),
    ]),
  );
}

test("the Dockerfile's commands, with the environment of compose.yaml, and the guide's commands for it work in that release", async () => {
  const dockerfile = await read("Dockerfile");
  const settings = {
    ...(await composeEnvironment()),
    DATABASE_URL: await database.createDatabase(),
    HOST: "127.0.0.1",
    PORT: String(await freePort()),
    DATA_DIR: path.join(folder, "data"),
    SEED: "none",
  };
  const run = (program: string, args: string[]) => {
    const env = { ...ENVIRONMENT, ...settings };
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: app, env, encoding: "utf8" });
    return { args, status, stdout, stderr };
  };
  const [, main = ""] = /^CMD \["(.+)"\]$/m.exec(dockerfile) ?? [];
  const [, check = "[]"] = /^ +CMD (\[.+\])$/m.exec(dockerfile) ?? [];
  const [, ...health] = JSON.parse(check) as string[];

  // While no process listens, the check fails.
  expect(run(NODE, health)).toMatchObject({ status: 1 });
  const site = await startProcess(settings, { program: path.join(app, main), folder: app });
  await site.running();
  expect(run(NODE, health)).toMatchObject({ status: 0 });

  const guide = await read("docs/deploying.md");
  const commands = [...guide.matchAll(/^docker compose (?:exec site1 node|run .+? site1) (dist\/.+)$/gm)];
  expect(commands.length).toBeGreaterThan(2);
  const backups = path.join(folder, "backups");
  await mkdir(backups, { mode: 0o700 });
  for (const [, command = ""] of commands) {
    const [program = "", ...args] = command.replace("/backups", backups).split(" ");
    // In a terminal, the command asks for the password.
    if (program.endsWith("member.js")) args.push("--password", "a-long-password");
    // Nothing can be checked about a proxy, a domain or backups here.
    const isDoctor = program.endsWith("doctor.js");
    const result = run(NODE, [program, ...args]);
    expect(result).toMatchObject(isDoctor ? { stdout: expect.stringMatching(/^ok {2,}/m) } : { status: 0 });
  }
  expect(await readdir(backups)).toHaveLength(1);
});
