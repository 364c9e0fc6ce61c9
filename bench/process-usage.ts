import { readdir, readFile } from "node:fs/promises";

const TICKS_PER_SECOND = 100;

interface Process {
  pid: number;
  parent: number;
  /** Milliseconds of processor time of its children that have ended. */
  ended: number;
}

/** What is known of running processes (proc(5), /proc/pid/stat). */
async function processes(): Promise<Process[]> {
  const entries = await readdir("/proc");
  const found = await Promise.all(
    entries
      .filter((entry) => /^\d+$/.test(entry))
      .map(async (entry): Promise<Process | undefined> => {
        const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => undefined);
        if (stat === undefined) return undefined;
        // The program's name, in brackets, may hold blanks.
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const ticks = Number(fields[13]) + Number(fields[14]);
        return { pid: Number(entry), parent: Number(fields[1]), ended: (ticks * 1000) / TICKS_PER_SECOND };
      }),
  );
  return found.filter((process) => process !== undefined);
}

function familyOf(root: number, all: readonly Process[]): Process[] {
  const family = all.filter(({ pid }) => pid === root);
  for (const { pid } of family) family.push(...all.filter(({ parent }) => parent === pid));
  return family;
}

/** Milliseconds of processor time of a process and all its descendants. */
export async function familyCpu(pid: number): Promise<number> {
  const family = familyOf(pid, await processes());
  const used = await Promise.all(family.map(async (each) => each.ended + (await ownCpu(each.pid))));
  return used.reduce((sum, cpu) => sum + cpu, 0);
}

/** Milliseconds of processor time of one process; the scheduler counts its threads in nanoseconds. */
export async function ownCpu(pid: number): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/schedstat`, "utf8").catch(() => "0")),
  );
  return times.reduce((sum, text) => sum + Number(text.split(" ")[0]) / 1_000_000, 0);
}

/** Bytes of memory of a process and its descendants, what they share counted once. */
export async function familyMemory(pid: number): Promise<number> {
  const family = familyOf(pid, await processes());
  const sizes = await Promise.all(
    family.map(async (process) => {
      const rollup = await readFile(`/proc/${process.pid}/smaps_rollup`, "utf8").catch(() => "");
      return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
