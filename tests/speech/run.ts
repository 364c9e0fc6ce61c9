import { createCommunity } from "../support/members.ts";
import { startServer } from "../support/server.ts";
import { JOURNEYS, type Journey } from "./journeys.ts";
import { missingPackages, startScreenReader } from "./screen-reader.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
const missing = missingPackages().join(" ");
if (missing !== "") {
  print(`Packages are missing. On Debian, as root: apt-get install ${missing}`);
  process.exit(1);
}
const server = await startServer();
const site = { ...server, ...createCommunity(server) };
const results: boolean[] = [];
// A text on the command line selects journeys by a part of their title: npm run test:speech -- "Show More"
const words = process.argv.slice(2).join(" ");
for (const journey of JOURNEYS) if (journey.title.includes(words)) results.push(await report(journey));
const failed = results.filter((passed) => !passed).length;
await server.stop();
print(`\n${results.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

async function report({ title, zoom, run }: Journey): Promise<boolean> {
  const start = performance.now();
  let problem: unknown;
  try {
    await site.clear();
    const reader = await startScreenReader(zoom);
    await run(reader, site).finally(reader.close);
  } catch (error) {
    problem = error;
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  print(`${problem === undefined ? "✓" : "✗"} ${title} (${seconds} s)`);
  if (problem !== undefined) print(`  ${problem}`);
  return problem === undefined;
}
