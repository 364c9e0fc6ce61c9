import { backup } from "./backup.ts";
import { crash } from "./crash.ts";
import type { Drill } from "./figure.ts";
import { fullDisk } from "./full-disk.ts";
import { fuzz } from "./fuzz.ts";
import { identities } from "./identities.ts";
import { logs } from "./logs.ts";
import { longStatement } from "./long-statement.ts";
import { outage } from "./outage.ts";
import { overload } from "./overload.ts";
import { pages } from "./pages.ts";
import { secrets } from "./secrets.ts";
import { signInAttacks } from "./sign-in.ts";
import { sockets } from "./sockets.ts";
import { stop } from "./stop.ts";
import { dependencies, hostileContent, migrations } from "./suites.ts";

// In the order of what Techfolio promises to withstand (SECURITY.md).
const drills: Drill[] = [
  crash,
  stop,
  outage,
  fullDisk,
  overload,
  sockets,
  identities,
  fuzz,
  longStatement,
  hostileContent,
  pages,
  signInAttacks,
  secrets,
  dependencies,
  migrations,
  logs,
  backup,
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !drills.some((drill) => drill.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `No drill is called ${unknown.join(", ")}. There are: ${drills.map(({ name }) => name).join(", ")}.\n`,
  );
  process.exit(2);
}

let missed = 0;
for (const drill of drills) {
  if (wanted.length > 0 && !wanted.includes(drill.name)) continue;
  process.stdout.write(`\n${drill.name}: ${drill.title}\n`);
  try {
    for (const { asked, measured, ok } of await drill.run("long")) {
      if (!ok) missed += 1;
      process.stdout.write(`  ${ok ? "ok    " : "missed"}  ${asked} | measured: ${measured}\n`);
    }
  } catch (error) {
    missed += 1;
    process.stdout.write(
      `  missed  the drill itself failed: ${error instanceof Error ? error.message : error}\n`,
    );
  }
}
process.stdout.write(missed === 0 ? "\nEvery figure was reached.\n" : `\n${missed} missed.\n`);
process.exit(missed === 0 ? 0 : 1);
