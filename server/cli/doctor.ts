import { examine } from "./doctor/examine.ts";

/** `npm run doctor`: says what keeps the site from starting or answering, and the way out. Exit code 1 with a problem. */
let problems = 0;
for await (const { topic, isOk, text } of examine()) {
  if (!isOk) problems += 1;
  process.stdout.write(`${isOk ? "ok     " : "problem"}  ${topic.padEnd(10)}  ${text}\n`);
}
const counted = problems === 1 ? "There is 1 problem." : `There are ${problems} problems.`;
process.stdout.write(`\n${problems === 0 ? "Nothing stands in the way." : counted}\n`);
process.exitCode = problems === 0 ? 0 : 1;
