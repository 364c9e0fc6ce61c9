import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile, readlink, rename, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { commandLine } from "../../config/command-line.ts";
import { errorMessage } from "../../config/error-message.ts";
import { OperatorError, UsageError } from "../../config/operator-error.ts";
import { origin } from "../../config/settings-schema.ts";
import { PROCESS_HEADER } from "../../http/process-header.ts";
import { type ProgramDefinition, parseArguments } from "../program.ts";

const USAGE = `${commandLine("release", "VERSION")} [--unit UNIT]… [--proxy URL] [--timeout SECONDS] [--folder FOLDER]

Switches a site that systemd runs to the release in releases/VERSION, also to an earlier one. Restarts one unit after the
other, and waits until the proxy reaches each new process. If one doesn't start, returns to the release that ran before.
With the version that runs, restarts its processes. Run it as root.

  --unit UNIT         restart this unit; repeat it for several. Without it: techfolio and all techfolio@PORT that
                      run, or have failed and are enabled
  --proxy URL         where the proxy answers. Without it: SITE_URL
  --timeout SECONDS   how long each process may take to start (120)
  --folder FOLDER     the folder with releases and current (the current folder)
`;

const POLL_MS = 100;
const REQUEST_TIMEOUT_MS = 5_000;
/** How long to wait for a process of a release without process IDs. Longer than a proxy's interval of checks. */
const UNNAMED_WAIT_MS = 5_000;

const run = promisify(execFile);

export const release: ProgramDefinition = {
  name: "release",
  usage: USAGE,
  async run(args, { settings, print }) {
    const { values, positionals } = parseArguments("release", {
      args,
      options: {
        unit: { type: "string", multiple: true },
        proxy: { type: "string" },
        timeout: { type: "string", default: "120" },
        folder: { type: "string", default: "." },
      },
      allowPositionals: true,
    });
    const [version = "", ...more] = positionals;
    if (!/^\w[\w.+-]*$/.test(version) || more.length > 0)
      throw new UsageError('"release" needs one VERSION, which is the name of a folder in releases');
    if (!/^[1-9]\d{0,4}$/.test(values.timeout))
      throw new UsageError(`"release": --timeout must be a whole number of seconds, not "${values.timeout}"`);
    const folder = path.resolve(values.folder);
    const site: Site = {
      folder,
      proxy: values.proxy ?? settings.siteUrl,
      timeoutMs: Number(values.timeout) * 1_000,
      addressOf: (unit) => origin(settings.host, Number(/@(\d+)/.exec(unit)?.[1] ?? settings.port)),
      print,
    };
    await using _lock = await lock(folder);
    const old = await readlink(path.join(folder, "current")).catch(() => undefined);
    if (old === undefined)
      throw new OperatorError(`${folder} has no link "current": run this command in the site's folder.`);
    const target = path.join("releases", version);
    await versionIn(site, target);
    await requireProxy(site);
    const units = values.unit ?? (await runningUnits());
    if (units.length === 0) throw new OperatorError("No unit techfolio or techfolio@PORT is running.");

    await switchTo(site, target);
    const restarted: string[] = [];
    try {
      for (const unit of units) {
        restarted.unshift(unit);
        await restart(site, unit, target);
      }
    } catch (error) {
      const cause = `Release ${version} failed: ${errorMessage(error)}`;
      const reason = `The reason is in: journalctl --unit ${restarted[0]}`;
      if (old === target) throw new OperatorError(`${cause} ${reason}`);
      print(`${cause} Returning to ${path.basename(old)}…`);
      await switchTo(site, old);
      // First the process that is down.
      for (const unit of restarted) {
        await restart(site, unit, old).catch((problem: unknown) => {
          throw new OperatorError(
            `${cause} Returning to ${path.basename(old)} failed too: ${errorMessage(problem)}`,
          );
        });
      }
      throw new OperatorError(`${cause} The site runs ${path.basename(old)} again. ${reason}`);
    }
    print(`The site runs ${version}.`);
  },
};

interface Site {
  folder: string;
  proxy: string;
  timeoutMs: number;
  addressOf(unit: string): string;
  print(line: string): void;
}

/** Two releases at the same time could stop all processes. The socket closes when this process ends. Linux only. */
async function lock(folder: string): Promise<AsyncDisposable> {
  const server = createServer().listen(`\0techfolio-release-${folder}`);
  await once(server, "listening").catch(() => {
    throw new OperatorError("Another process is changing the release: wait until it has ended.");
  });
  return { [Symbol.asyncDispose]: async () => void server.close() };
}

async function versionIn({ folder }: Site, target: string): Promise<string> {
  const file = path.join(folder, target, "node_modules/techfolio/package.json");
  const text = await readFile(file, "utf8").catch(() => {
    throw new OperatorError(`${file} is missing, so nothing was changed: install the release there first.`);
  });
  return (JSON.parse(text) as { version: string }).version;
}

/** Before anything changes. The proxy may answer with an error, because a release may be what repairs the site. */
async function requireProxy({ proxy }: Site): Promise<void> {
  await fetch(`${proxy}/healthz`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }).catch(
    (error: unknown) => {
      const cause = error instanceof Error && error.cause ? error.cause : error;
      throw new OperatorError(
        `The proxy cannot be reached at ${proxy} (${errorMessage(cause)}), so nothing was changed: set SITE_URL, let /etc/hosts lead its name to the proxy, or use --proxy URL. If the certificate is from your own authority, set NODE_EXTRA_CA_CERTS in the environment.`,
      );
    },
  );
}

/** The units that run, and those that have failed although systemd starts them with the machine. */
async function runningUnits(): Promise<string[]> {
  const running = await unitsIn("active", "activating");
  const failed = await unitsIn("failed");
  const isEnabled = (unit: string) =>
    systemctl("is-enabled", unit).then(
      () => true,
      () => false,
    );
  const enabled = await Promise.all(failed.map(isEnabled));
  return [...running, ...failed.filter((_, index) => enabled[index])];
}

async function unitsIn(...states: string[]): Promise<string[]> {
  const filters = states.map((state) => `--state=${state}`);
  const patterns = ["techfolio.service", "techfolio@*.service"];
  const listed = await systemctl("list-units", "--plain", "--no-legend", ...filters, ...patterns);
  return listed.split("\n").flatMap((line) => /^\S+(?=\.service )/.exec(line)?.[0] ?? []);
}

async function systemctl(...args: string[]): Promise<string> {
  return run("systemctl", args).then(
    ({ stdout }) => stdout,
    (error: { stderr?: string; message: string }) => {
      const reason = error.stderr?.trim().split("\n")[0] || error.message;
      throw new OperatorError(`systemctl ${args[0]} failed (${reason}).`);
    },
  );
}

/** Renames, so that `current` exists at every moment. */
async function switchTo({ folder }: Site, target: string): Promise<void> {
  const link = path.join(folder, `current.${process.pid}`);
  await symlink(target, link);
  await rename(link, path.join(folder, "current"));
}

/** Throws OperatorError if the unit's new process doesn't serve requests in time. */
async function restart(site: Site, unit: string, target: string): Promise<void> {
  const version = await versionIn(site, target);
  const deadline = performance.now() + site.timeoutMs;
  site.print(`Restarting ${unit}…`);
  await systemctl("restart", unit);
  const url = site.addressOf(unit);
  await until(deadline, `${unit} was not ready at ${url} in time.`, async () => {
    const response = await request(`${url}/readyz`);
    return response?.ok;
  });
  const started = await processAt(url);
  if (started?.version !== version)
    throw new OperatorError(`${unit} runs ${started?.version ?? "no release"} instead of ${version}.`);
  await until(
    deadline,
    `The proxy ${site.proxy} did not reach the new process of ${unit} in time.`,
    async () => (await processAt(site.proxy))?.name === started.name,
  );
  if (!started.isNamed) await sleep(UNNAMED_WAIT_MS);
}

async function until(deadline: number, problem: string, isDone: () => Promise<boolean | undefined>) {
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new OperatorError(problem);
    await sleep(POLL_MS);
  }
}

async function request(url: string): Promise<Response | undefined> {
  return fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS), redirect: "manual" }).catch(
    () => undefined,
  );
}

/** The process that answers at an address, or undefined. */
async function processAt(url: string) {
  const response = await request(`${url}/healthz`);
  const text = await response?.text().catch(() => "");
  const [, version] = /^ok (\S+)\n$/.exec(text ?? "") ?? [];
  if (!response?.ok || version === undefined) return undefined;
  const id = response.headers.get(PROCESS_HEADER);
  return { version, name: id ?? version, isNamed: id !== null };
}
