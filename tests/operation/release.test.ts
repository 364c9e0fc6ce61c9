import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, readlink, symlink, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { release } from "../../server/cli/programs/release.ts";
import { PROCESS_HEADER } from "../../server/http/process-header.ts";
import { freePort } from "../support/free-port.ts";
import { NODE } from "../support/node.ts";
import { temporaryFolder } from "../support/process.ts";
import { runHere } from "../support/run-here.ts";

interface Process {
  version: string;
  id: string;
}

async function serve(onRequest: RequestListener, port = 0): Promise<string> {
  const server = createServer(onRequest).listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * A folder with two releases, two units, a proxy that notices a new process only after some requests, and a program
 * `systemctl`. The processes of a release in `broken` don't start. `second` is the state of the second unit.
 */
async function prepare({
  broken = [],
  second = "active",
}: {
  broken?: string[];
  second?: "active" | "failed, enabled" | "failed, disabled";
} = {}) {
  const folder = await temporaryFolder();
  for (const version of ["0.1.0", "0.2.0"]) {
    const packageFolder = path.join(folder, "releases", version, "node_modules/techfolio");
    await mkdir(packageFolder, { recursive: true });
    await writeFile(path.join(packageFolder, "package.json"), JSON.stringify({ version }));
  }
  await symlink("releases/0.1.0", path.join(folder, "current"));

  const events: string[] = [];
  const processes = new Map<string, Process | undefined>();
  const answer =
    (find: () => Process | undefined): RequestListener =>
    (request, response) => {
      const found = find();
      response.writeHead(found ? 200 : 502, found && { [PROCESS_HEADER]: found.id });
      response.end(request.url === "/healthz" ? `ok ${found?.version}\n` : "ready\n");
    };
  const units: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    const port = await freePort();
    const unit = `techfolio@${port}`;
    units.push(unit);
    processes.set(unit, { version: "0.1.0", id: randomUUID() });
    await serve(
      answer(() => processes.get(unit)),
      port,
    );
  }
  // What the proxy has found by its last check.
  const known = new Map(processes);
  let requests = 0;
  const proxy = await serve((request, response) => {
    requests += 1;
    const unit = units[requests % 2] ?? "";
    if (requests % 5 === 0) {
      for (const [name, process] of processes) {
        if (known.get(name) !== process) events.push(`reached ${name} ${process?.version}`);
        known.set(name, process);
      }
    }
    answer(() => (known.get(unit) === processes.get(unit) ? known.get(unit) : undefined))(request, response);
  });
  const control = await serve(async (request, response) => {
    const [, command, unit = "", ...more] = decodeURIComponent(request.url ?? "").split("/");
    if (command === "list-units") {
      const states = ["active", second.replace(/,.*/, "")];
      const listed = units.filter((_, index) => more.includes(`--state=${states[index]}`));
      return response.end(listed.map((name) => `${name}.service loaded\n`).join(""));
    }
    if (command === "is-enabled") {
      response.statusCode = second === "failed, disabled" ? 404 : 200;
      return response.end();
    }
    const version = path.basename(await readlink(path.join(folder, "current")));
    events.push(`${command} ${unit} ${version}`);
    const isBroken = broken.includes(version);
    processes.set(unit, isBroken ? undefined : { version, id: randomUUID() });
    return response.end();
  });
  const programs = await temporaryFolder();
  const program = path.join(programs, "systemctl");
  await writeFile(
    program,
    `#!${NODE}\nfetch("${control}/" + process.argv.slice(2).map(encodeURIComponent).join("/")).then(async (r) => { process.exitCode = r.ok ? 0 : 1; process.stdout.write(await r.text()); });\n`,
  );
  await chmod(program, 0o755);
  vi.stubEnv("PATH", `${programs}:${process.env["PATH"]}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const run = (...args: string[]) => runHere(release, [...args, "--folder", folder], { SITE_URL: proxy });
  return { events, units, run, proxy, current: () => readlink(path.join(folder, "current")) };
}

test("techfolio release restarts one unit after the other, the next one only when the proxy reaches the new process", async () => {
  const { events, units, run, current } = await prepare();
  expect(await run("0.2.0")).toMatchObject({ code: 0, stderr: "" });
  const [first, second] = units;
  expect(events).toEqual([
    `restart ${first} 0.2.0`,
    `reached ${first} 0.2.0`,
    `restart ${second} 0.2.0`,
    `reached ${second} 0.2.0`,
  ]);
  expect(await current()).toBe("releases/0.2.0");
});

test("a release that doesn't start is replaced by the earlier one, and the second unit keeps running", async () => {
  const { events, units, run, current } = await prepare({ broken: ["0.2.0"] });
  const { code, stderr } = await run("0.2.0", "--timeout", "5");
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Release 0\.2\.0 failed: .+ in time\. The site runs 0\.1\.0 again\..+\n$/);
  const [first] = units;
  expect(events).toEqual([`restart ${first} 0.2.0`, `restart ${first} 0.1.0`, `reached ${first} 0.1.0`]);
  expect(await current()).toBe("releases/0.1.0");
});

test("a unit that has failed is restarted only if it is enabled", async () => {
  for (const second of ["failed, enabled", "failed, disabled"] as const) {
    const { events, units, run } = await prepare({ second });
    const restarted = units.slice(0, second === "failed, enabled" ? 2 : 1);
    expect(await run("0.2.0")).toMatchObject({ code: 0 });
    expect(
      events.filter((event) => event.startsWith("restart")),
      second,
    ).toEqual(restarted.map((unit) => `restart ${unit} 0.2.0`));
  }
});

test("a restart that fails stops before the next unit, because there is no other release to return to", async () => {
  const { events, units, run, current } = await prepare({ broken: ["0.1.0"] });
  expect(await run("0.1.0", "--timeout", "1")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/in time\. The reason is in: journalctl --unit techfolio@\d+\n$/),
  });
  expect(events).toEqual([`restart ${units[0]} 0.1.0`]);
  expect(await current()).toBe("releases/0.1.0");
});

test("a second release at the same time, a release that isn't installed, and a proxy that doesn't answer change nothing", async () => {
  const { events, run, current } = await prepare();
  const both = await Promise.all([run("0.2.0"), run("0.1.0")]);
  expect(both.map(({ code }) => code)).toEqual([0, 1]);
  expect(both[1].stderr).toMatch(/^Another process is changing the release/);
  const count = events.length;
  const missing = await run("0.3.0");
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("nothing was changed") });
  const proxy = `http://127.0.0.1:${await freePort()}`;
  const unreachable = await run("0.1.0", "--proxy", proxy);
  expect(unreachable.stderr).toMatch(/ECONNREFUSED.+nothing was changed/);
  expect(events).toHaveLength(count);
  expect(await current()).toBe("releases/0.2.0");
});

test("techfolio release rejects wrong arguments", async () => {
  for (const args of [[], ["0.1.0", "0.2.0"], ["../0.1.0"], ["0.1.0", "--timeout", "soon"]])
    expect(await runHere(release, args, {}), args.join(" ")).toMatchObject({ code: 2, stdout: "" });
});
