// Waits until the process that started it has closed this program's standard input or has ended in any way. Then ends the
// PostgreSQL servers in the folder that the argument names, and removes the folder. PostgreSQL has its own process group, so
// it would survive a test run that is stopped.
import { readdir, rm } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { stopLeftover } from "../../server/postgres/embedded/leftover.ts";

const [folder = ""] = process.argv.slice(2);
await buffer(process.stdin);
const files = await readdir(folder, { recursive: true, withFileTypes: true });
const clusters = files.filter(({ name }) => name === "postmaster.pid").map(({ parentPath }) => parentPath);
await Promise.allSettled(clusters.map(stopLeftover));
await rm(folder, { recursive: true, force: true });
