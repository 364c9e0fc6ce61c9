import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readKeys } from "../support/data-dir.ts";
import { freePort } from "../support/free-port.ts";
import { ENVIRONMENT, NODE, ROOT } from "../support/node.ts";
import { launchSite } from "../support/site-process.ts";
import { type Drill, type Figure, none } from "./figure.ts";

const PASSWORD = "a-long-password";
const START_MS = 60_000;
const POLL_MS = 200;

/** The commands that create what others need come first, and those that remove it last. */
const ORDER = [
  /^run member (add|invite)/,
  /^run (?!member (add|invite|remove))/,
  /^run member remove/,
  /^DATA_DIR/,
];
const EXAMPLE_ID = "5b0c4c43-9d0b-4d8f-8f1d-8b11d0f6e5b0";

/** Returns the commands of the guide that an operator types on the site's machine, each once. */
async function commandsOf(guide: string): Promise<string[]> {
  const text = await readFile(path.join(ROOT, guide), "utf8");
  const lines = [...text.matchAll(/^ *((?:run |DATA_DIR=).+?)(?: {2,}#.*)?$/gm)].map(([, line = ""]) => line);
  return ORDER.flatMap((kind) => lines.filter((line) => kind.test(line)));
}

interface Machine {
  folder: string;
  /** Runs a command of the guide in the site's folder. Its standard input is the password that it may ask for. */
  run(command: string): { status: number | null; output: string };
}

async function prepareMachine(
  opened: AsyncDisposableStack,
  settings: Record<string, string>,
): Promise<Machine> {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-guide-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const programs = path.join(folder, "programs");
  await mkdir(programs);
  const npx = path.join(programs, "npx");
  await writeFile(
    npx,
    `#!/bin/sh\nshift\nexec "${NODE}" "${path.join(ROOT, "scripts/techfolio.mjs")}" "$@"\n`,
  );
  await chmod(npx, 0o755);
  await writeFile(path.join(folder, "colleagues.txt"), "grace@example.com\nKim Doe <kim@example.com>\n");
  const env = { ...ENVIRONMENT, ...settings, PATH: `${programs}:${process.env["PATH"]}` };
  return {
    folder,
    run(command) {
      const script = `run() { npx techfolio "$@"; }\n${command}`;
      const { status, stdout, stderr } = spawnSync("bash", ["-o", "pipefail", "-c", script], {
        cwd: folder,
        env,
        input: `${PASSWORD}\n`,
        encoding: "utf8",
      });
      return { status, output: `${stdout}${stderr}` };
    },
  };
}

async function createExamples(url: string, serviceKey: string) {
  const headers = {
    apikey: serviceKey,
    Authorization: `Bearer ${serviceKey}`,
    "Content-Type": "application/json",
    Prefer: "return=representation",
  };
  const post = async (target: string, body: object) => {
    const response = await fetch(url + target, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const pills = { email: "pills@example.com", password: PASSWORD, email_confirm: true };
  const { id: author } = (await post("/auth/v1/admin/users", pills)) as { id: string };
  /** Returns the ID of a new article. */
  return async (id?: string): Promise<string> => {
    const article = { ...(id && { id }), author_id: author, title: "Pills", content: "pills.example" };
    const [row] = (await post("/rest/v1/articles?select=id", article)) as { id: string }[];
    return row?.id ?? "";
  };
}

/** Runs the guide's commands with the paths of this machine, and returns those that fail with their output. */
async function failuresOf(
  machine: Machine,
  commands: string[],
  addArticle: () => Promise<string>,
): Promise<string[]> {
  const trialPort = String(await freePort());
  const failed: string[] = [];
  let trial: ChildProcess | undefined;
  try {
    for (const written of commands) {
      let command = written
        .replaceAll("/var/backups/techfolio", machine.folder)
        .replaceAll("/var/log", machine.folder)
        .replaceAll("/tmp/trial", path.join(machine.folder, "trial"))
        .replaceAll("PORT=3001", `PORT=${trialPort}`);
      if (/\bID\b/.test(command)) command = command.replace(/\bID\b/, await addArticle());
      // The guide's example has an ID that no link of this site has.
      if (command.startsWith("run member close-link")) {
        const [, id = ""] =
          /"id": ?"([\w-]+)"/.exec(machine.run("run member invite-links --json").output) ?? [];
        command = command.replace(EXAMPLE_ID, id);
      }
      if (/npx techfolio$/.test(command)) {
        trial = startTrial(machine, command);
        await untilReady(trialPort);
        continue;
      }
      const { status, output } = machine.run(command);
      // doctor reports that there is no proxy, no mail server and no old backup.
      const works = command === "run doctor" ? /^ok {2,}/m.test(output) : status === 0;
      if (!works) failed.push(`${written}: ${output.trim().split("\n").at(-1)}`);
    }
  } finally {
    if (trial?.pid !== undefined) process.kill(-trial.pid, "SIGTERM");
  }
  return failed;
}

function startTrial({ folder }: Machine, command: string): ChildProcess {
  const env = { ...ENVIRONMENT, PATH: `${path.join(folder, "programs")}:${process.env["PATH"]}` };
  return spawn("bash", ["-c", command], { cwd: folder, env, stdio: "ignore", detached: true });
}

async function untilReady(port: string): Promise<void> {
  const deadline = performance.now() + START_MS;
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (performance.now() > deadline) throw new Error("The restored site did not start");
    await sleep(POLL_MS);
  }
}

/** Makes an encrypted copy of the backups with the guide's command, in a repository on this machine. */
async function copyWithRestic(machine: Machine): Promise<Figure> {
  const goal = "the guide's command copies the backups with restic";
  if (spawnSync("restic", ["version"]).status !== 0)
    return { goal, measured: "not run: restic is not installed", ok: true };
  const guide = await readFile(path.join(ROOT, "docs/deploying.md"), "utf8");
  const [, command = ""] =
    /^ *ExecStart=.*backup\.js \/var\/backups\/techfolio (--days .+)$/m.exec(guide) ?? [];
  const { folder } = machine;
  await writeFile(path.join(folder, "restic-password"), PASSWORD);
  const variables = `RESTIC_REPOSITORY=${folder}/restic RESTIC_PASSWORD_FILE=${folder}/restic-password RESTIC_CACHE_DIR=${folder}/cache`;
  const backups = path.join(folder, "nightly");
  const copy = `export ${variables}; mkdir -m 700 ${backups}; restic init && run backup ${backups} ${command}`;
  const { status, output } = machine.run(copy.replaceAll("/var/backups/techfolio", backups));
  const { output: snapshots } = machine.run(`${variables} restic snapshots`);
  const measured = /\d+ snapshots?$/m.exec(snapshots)?.[0] ?? output.trim();
  return { goal, measured, ok: status === 0 && measured === "1 snapshots" };
}

export const guide: Drill = {
  name: "guide",
  title: "the commands of the operators' guide work as written",
  async run(): Promise<Figure[]> {
    await using opened = new AsyncDisposableStack();
    const dataDir = await mkdtemp(path.join(tmpdir(), "techfolio-guide-data-"));
    opened.defer(() => rm(dataDir, { recursive: true, force: true }));
    const port = String(await freePort());
    const settings = { DATA_DIR: dataDir, PORT: port, SEED: "none" };
    const site = await launchSite(settings);
    opened.defer(async () => void (await site.end("SIGTERM")));
    await site.running();
    const { serviceKey } = await readKeys(dataDir);
    const addArticle = await createExamples(site.url, serviceKey);
    await addArticle(EXAMPLE_ID);

    const machine = await prepareMachine(opened, settings);
    const commands = await commandsOf("docs/operating.md");
    const failed = await failuresOf(machine, commands, addArticle);
    return [
      none(
        "each command of docs/operating.md succeeds",
        failed.length,
        `${commands.length} (${failed.join("; ")})`,
      ),
      await copyWithRestic(machine),
    ];
  },
};
