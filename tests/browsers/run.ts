import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createCommunity } from "../support/members.ts";
import { startServer } from "../support/server.ts";
import { ENGINES, type Engine, missingPackages } from "./engines.ts";
import { JOURNEYS, type Journey } from "./journeys.ts";
import { visitWith } from "./visit.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
installPackages(ENGINES.flatMap(missingPackages));
const server = await startServer();
const site = { ...server, ...createCommunity(server) };
const results: boolean[] = [];
for (const engine of ENGINES.filter((each) => missingPackages(each).length === 0)) {
  for (const journey of JOURNEYS) results.push(await report(journey, engine));
}
await server.stop();

const failed = results.filter((passed) => !passed).length;
print(`\n${results.length - failed} passed, ${failed} failed`);
for (const engine of ENGINES) {
  const packages = missingPackages(engine).join(" ");
  if (packages) print(`${engine.name} did not run. On Debian, as root: apt-get install ${packages}`);
}
process.exit(failed > 0 || results.length === 0 ? 1 : 0);

function installPackages(packages: string[]): void {
  if (packages.length === 0 || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  print(`Installing ${packages.join(", ")}…`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update"], { stdio: "inherit", env });
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", ...packages], { stdio: "inherit", env });
}

async function report(journey: Journey, engine: Engine): Promise<boolean> {
  const start = performance.now();
  const printedBefore = server.output().length;
  let name = engine.name;
  let problems: unknown[];
  try {
    await site.clear();
    const browser = await engine.launch(!journey.withoutScripts);
    name += ` ${browser.version}`;
    await journey.run(visitWith(browser, site.url), site).finally(browser.close);
    const printed = server.output().slice(printedBefore).split("\n");
    problems = [...browser.problems(), ...printed.filter((line) => line.includes('"level":"error"'))];
  } catch (error) {
    problems = [error];
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  print(`${problems.length === 0 ? "✓" : "✗"} ${name}: ${journey.title} (${seconds} s)`);
  for (const problem of problems) print(`  ${problem}`);
  return problems.length === 0;
}
