import { drills } from "./drills.ts";

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !drills.some((drill) => drill.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `No drill is called ${unknown.join(", ")}. The drills are: ${drills.map(({ name }) => name).join(", ")}.\n`,
  );
  process.exit(2);
}

let missed = 0;
for (const drill of drills) {
  if (wanted.length > 0 && !wanted.includes(drill.name)) continue;
  process.stdout.write(`\n${drill.name}: ${drill.title}\n`);
  try {
    for (const { goal, measured, ok } of await drill.run("long")) {
      if (!ok) missed += 1;
      process.stdout.write(`  ${ok ? "ok    " : "missed"}  ${goal} | measured: ${measured}\n`);
    }
  } catch (error) {
    missed += 1;
    process.stdout.write(
      `  missed  the drill itself failed: ${error instanceof Error ? error.message : error}\n`,
    );
  }
}
process.stdout.write(missed === 0 ? "\nEvery goal was met.\n" : `\nGoals missed: ${missed}.\n`);
process.exit(missed === 0 ? 0 : 1);
