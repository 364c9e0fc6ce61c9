import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/free-port.ts";
import { ROOT } from "../support/node.ts";
import type { Drill, Figure } from "./figure.ts";

const IMAGE = "localhost/techfolio-drill";
const START_MS = 120_000;
const END_MS = 15_000;
const POLL_MS = 200;
/** Without further privileges, in the network of this machine. */
const ISOLATION = ["--isolation", "chroot", "--network", "host"];

function buildah(...args: string[]) {
  return spawnSync("buildah", args, { cwd: ROOT, encoding: "utf8", maxBuffer: Number.POSITIVE_INFINITY });
}

function mustRun(...args: string[]): string {
  const { status, stdout, stderr } = buildah(...args);
  if (status !== 0) throw new Error(`buildah ${args[0]}: ${stderr.trim().split("\n").at(-1)}`);
  return stdout.trim();
}

interface Config {
  Entrypoint: string[];
  Cmd: string[];
}

/** Returns the ids of a process and of all its descendants. */
function descendants(pid: number): number[] {
  const { stdout } = spawnSync("pgrep", ["-P", String(pid)], { encoding: "utf8" });
  const children = stdout.split("\n").filter(Boolean).map(Number);
  return [pid, ...children.flatMap(descendants)];
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

async function waitFor(what: string, limitMs: number, isTrue: () => Promise<boolean> | boolean) {
  const deadline = performance.now() + limitMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`Timed out: ${what}`);
    await sleep(POLL_MS);
  }
}

/** Runs the image's programs with a folder of this machine as the volume. */
async function openContainer(opened: AsyncDisposableStack) {
  const name = mustRun("from", IMAGE);
  opened.defer(async () => void buildah("rm", name));
  const { OCIv1 } = JSON.parse(mustRun("inspect", name)) as { OCIv1: { config: Config } };
  const { Entrypoint: entry, Cmd: command } = OCIv1.config;
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-container-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const data = path.join(folder, "data");
  // Engines give a new volume the owner and mode of the image's folder.
  await mkdir(data);
  mustRun(
    "run",
    "--user",
    "root",
    ...ISOLATION,
    "--volume",
    `${data}:/new`,
    name,
    "--",
    "chown",
    "node:root",
    "/new",
  );
  const port = await freePort();
  const settings = { PORT: String(port), HOST: "127.0.0.1", SEED: "none" };
  const options = Object.entries(settings).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
  const argumentsOf = (...program: string[]) => [
    "run",
    ...ISOLATION,
    ...options,
    ...["--volume", `${data}:/data`, name, "--", ...program],
  ];
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const pids = () => (child?.pid === undefined ? [] : descendants(child.pid));
  opened.defer(async () => {
    for (const pid of pids()) kill(pid, "SIGKILL");
  });
  return {
    url,
    runProgram: (...args: string[]) => mustRun(...argumentsOf(entry[0] ?? "", ...args)),
    async start() {
      child = spawn("buildah", argumentsOf(...entry, ...command), { stdio: "ignore" });
      await waitFor("the container is ready", START_MS, () => {
        if (child?.exitCode !== null) throw new Error("The container ended");
        return fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      });
    },
    /** Sends the signal as an engine does: SIGTERM to the server, and SIGKILL to all processes. */
    async end(signal: "SIGTERM" | "SIGKILL") {
      const all = pids();
      const server = all.find((pid) => isServer(pid, command));
      if (server === undefined) throw new Error("The server's process was not found");
      for (const pid of signal === "SIGKILL" ? all : [server]) kill(pid, signal);
      await waitFor(
        `the container ends after ${signal}`,
        END_MS,
        () => child?.exitCode !== null || child?.signalCode !== null,
      );
    },
  };
}

/** Whether a process runs the image's command without the programs of buildah that started it. */
function isServer(pid: number, command: string[]): boolean {
  const { stdout } = spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" });
  return /^\S*\bnode /.test(stdout) && stdout.trim().endsWith(command.join(" "));
}

export const container: Drill = {
  name: "container",
  title: "the Dockerfile can be built, and what members wrote survives stops and kills of the container",
  async run(): Promise<Figure[]> {
    const goal = "the container image";
    if (process.getuid?.() !== 0 || buildah("--version").status !== 0)
      return [{ goal, measured: "not run: it needs buildah and root", ok: true }];
    const start = performance.now();
    const built = buildah("bud", ...ISOLATION, "--format", "docker", "--tag", IMAGE, ".");
    const seconds = Math.round((performance.now() - start) / 1_000);
    const reason = built.stderr.trim().split("\n").at(-1);
    const builds = "the image is built";
    if (built.status !== 0) return [{ goal: builds, measured: reason ?? "failed", ok: false }];
    const figures: Figure[] = [{ goal: builds, measured: `in ${seconds} s`, ok: true }];

    await using opened = new AsyncDisposableStack();
    opened.defer(async () => void buildah("rmi", IMAGE));
    const { url, start: startContainer, end, runProgram } = await openContainer(opened);
    await startContainer();
    const login = { email: "drill@example.com", password: "a-long-password" };
    runProgram("dist/server/cli/member.js", "add", "--email", login.email, "--password", login.password);
    const titles: string[] = [];
    for (const signal of ["SIGTERM", "SIGKILL", "SIGKILL"] as const) {
      const title = `Written before ${signal} ${titles.length}`;
      await publish(url, login, title);
      titles.push(title);
      await end(signal);
      await startContainer();
    }
    await end("SIGTERM");
    await startContainer();
    const page = await (await fetch(`${url}/articles`)).text();
    const lost = titles.filter((title) => !page.includes(title));
    await end("SIGTERM");
    return [
      ...figures,
      {
        goal: "articles survive SIGTERM and SIGKILL of all processes",
        measured: `${lost.length} of ${titles.length} lost`,
        ok: lost.length === 0,
      },
    ];
  },
};

/** Publishes an article as a member. Throws if the site rejects it. */
async function publish(url: string, login: { email: string; password: string }, title: string) {
  const home = await (await fetch(url)).text();
  const apikey = /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/.exec(home)?.[0] ?? "";
  const post = async (target: string, body: object, token: string) => {
    const response = await fetch(url + target, {
      method: "POST",
      headers: { apikey, Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`);
    return response;
  };
  const signedIn = await post("/auth/v1/token?grant_type=password", login, apikey);
  const session = (await signedIn.json()) as { access_token: string; user: { id: string } };
  const article = { author_id: session.user.id, title, content: "Kept.", published: true };
  await post("/rest/v1/articles", article, session.access_token);
}
