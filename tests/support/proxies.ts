import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./free-port.ts";
import { ROOT } from "./node.ts";

export interface ReverseProxy {
  name: string;
  /** The program's version, or undefined if it isn't installed. */
  version: string | undefined;
  /** Starts the program in the foreground, without TLS. `change` changes the shipped configuration. */
  start(
    upstreams: string[],
    opened: AsyncDisposableStack,
    change?: (text: string) => string,
  ): Promise<{ url: string }>;
}

const START_MS = 10_000;
const POLL_MS = 50;

function versionOf(program: string, ...args: string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  return status === 0 ? /\d+\.\d+\.\d+/.exec(`${stdout}${stderr}`)?.[0] : undefined;
}

const shipped = (name: string) => readFile(path.join(ROOT, "deploy", name), "utf8");
const hostsOf = (upstreams: string[]) => upstreams.map((upstream) => new URL(upstream).host);

/** Creates a folder for a proxy's files. Any account may read it, because nginx's workers aren't root. */
async function temporaryFolder(opened: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-proxy-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function run(
  opened: AsyncDisposableStack,
  port: number,
  [program = "", ...args]: string[],
  env: Record<string, string> = {},
) {
  const child = spawn(program, args, { stdio: "ignore", env: { ...process.env, ...env }, detached: true });
  opened.defer(async () => {
    // Also ends the workers, which are in the same group.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + START_MS;
  const isServing = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isServing())) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`${program} did not start`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return { url };
}

const asIs = (text: string) => text;

export const caddy: ReverseProxy = {
  name: "Caddy",
  version: versionOf("caddy", "version"),
  async start(upstreams, opened, change = asIs) {
    const port = await freePort();
    const file = path.join(await temporaryFolder(opened), "Caddyfile");
    await writeFile(file, change(await shipped("Caddyfile")));
    return run(opened, port, ["caddy", "run", "--adapter=caddyfile", "--config", file], {
      SITE_HOST: `:${port}`,
      UPSTREAMS: hostsOf(upstreams).join(" "),
      CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
    });
  },
};

export const nginx: ReverseProxy = {
  name: "nginx",
  version: versionOf("nginx", "-v"),
  async start(upstreams, opened, change = asIs) {
    const port = await freePort();
    const folder = await temporaryFolder(opened);
    const file = path.join(folder, "nginx.conf");
    const servers = hostsOf(upstreams).map((host) => `\tserver ${host} max_fails=0;\n`);
    const site = (await shipped("nginx.conf"))
      .replace(/(?:\tserver 127[^\n]+\n)+/, servers.join(""))
      .replace(/^server \{\n\tlisten 80;.*?^\}\n/ms, "")
      .replace(/^\tlisten \[::\][^\n]+\n|^\tssl_[^\n]+\n/gm, "")
      .replace("listen 443 ssl http2", `listen 127.0.0.1:${port}`);
    const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    await mkdir(path.join(folder, "logs"));
    await writeFile(
      file,
      `daemon off; pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off; ${places.join(" ")}\n${change(site)} }\n`,
    );
    return run(opened, port, ["nginx", "-p", folder, "-c", file]);
  },
};

export const haproxy: ReverseProxy = {
  name: "HAProxy",
  version: versionOf("haproxy", "-v"),
  async start(upstreams, opened, change = asIs) {
    const port = await freePort();
    const file = path.join(await temporaryFolder(opened), "haproxy.cfg");
    const servers = hostsOf(upstreams).map((host, index) => `\tserver process${index + 1} ${host}\n`);
    const site = (await shipped("haproxy.cfg"))
      .replace(/(?:\tserver process[^\n]+\n)+/, servers.join(""))
      .replace(/^\t(?:user|group|log) [^\n]+\n|^\tbind :::443[^\n]+\n|^\thttp-request redirect[^\n]+\n/gm, "")
      .replace("bind :::80 v4v6", `bind 127.0.0.1:${port}`);
    await writeFile(file, change(site));
    return run(opened, port, ["haproxy", "-db", "-f", file]);
  },
};

export const PROXIES = [caddy, nginx, haproxy];
