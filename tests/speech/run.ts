import { freePort } from "../support/free-port.ts";
import { createCommunity } from "../support/members.ts";
import { startServer } from "../support/server.ts";
import { JOURNEYS } from "./journeys.ts";
import { missingPackages, startScreenReader } from "./screen-reader.ts";
import type { Journey } from "./steps.ts";

/** With this option, each key is printed with what Orca says after it. */
const TRANSCRIPT = "--transcript";

const print = (line: string) => process.stdout.write(`${line}\n`);

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
const missing = missingPackages().join(" ");
if (missing !== "") {
  print(`Packages are missing. On Debian, as root: apt-get install ${missing}`);
  process.exit(1);
}
// Passkeys can't belong to an IP address.
const PORT = String(await freePort());
const url = `http://localhost:${PORT}`;
const server = await startServer({ PORT, SITE_URL: url, REPORTS: "on" });
const site = { ...server, ...createCommunity(server), url };
const results: boolean[] = [];
// Texts on the command line select journeys by a part of their title: npm run test:speech -- "Show More" passkey
const words = process.argv.slice(2).filter((word) => word !== TRANSCRIPT);
const isSelected = ({ title }: Journey) => words.length === 0 || words.some((word) => title.includes(word));
for (const journey of JOURNEYS.filter(isSelected)) results.push(await report(journey));
const failed = results.filter((passed) => !passed).length;
await server.stop();
print(`\n${results.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

async function report({ title, zoom, run }: Journey): Promise<boolean> {
  const start = performance.now();
  let problem: unknown;
  let transcript: string[] = [];
  try {
    await site.clear();
    const reader = await startScreenReader(zoom);
    await run(reader, site).finally(() => {
      transcript = reader.transcript();
      return reader.close();
    });
  } catch (error) {
    problem = error;
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  print(`${problem === undefined ? "✓" : "✗"} ${title} (${seconds} s)`);
  if (problem !== undefined) print(`  ${problem}`);
  if (process.argv.includes(TRANSCRIPT)) for (const line of transcript) print(`  ${line}`);
  return problem === undefined;
}
