import { readdir, readFile } from "node:fs/promises";

/** USER_HZ of Linux on every platform that Node supports. */
const TICK_MS = 10;

interface Process {
  pid: number;
  parent: number;
  /** Processor time of its children that have ended, in milliseconds. */
  ended: number;
}

/** proc(5), /proc/pid/stat. */
async function readProcess(pid: number): Promise<Process> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ")");
  // The program's name, in brackets, may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[13]) + Number(fields[14]);
  return { pid, parent: Number(fields[1]), ended: ticks * TICK_MS };
}

async function sumOfFamily(root: number, measure: (process: Process) => Promise<number>): Promise<number> {
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  const all = await Promise.all(pids.map(readProcess));
  const family = all.filter(({ pid }) => pid === root);
  for (const { pid } of family) family.push(...all.filter(({ parent }) => parent === pid));
  return (await Promise.all(family.map(measure))).reduce((sum, value) => sum + value, 0);
}

/** Milliseconds of processor time of one process; the scheduler counts its threads in nanoseconds. */
export async function ownCpu(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8").catch(() => "0")),
  );
  return times.reduce((sum, text) => sum + Number(text.split(" ")[0]) / 1_000_000, 0);
}

/** Milliseconds of processor time of a process and all its descendants. */
export function familyCpu(pid: number): Promise<number> {
  return sumOfFamily(pid, async (each) => each.ended + (await ownCpu(each.pid)));
}

/** Megabytes of a process and its descendants, shared memory counted once. */
export function familyMemory(pid: number): Promise<number> {
  return sumOfFamily(pid, async (each) => {
    const rollup = await readFile(`/proc/${each.pid}/smaps_rollup`, "utf8").catch(() => "");
    return (Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024) / 1e6;
  });
}
