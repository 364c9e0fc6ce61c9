import { readdir, readFile } from "node:fs/promises";

const TICKS_PER_SECOND = 100;

interface Process {
  pid: number;
  parent: number;
  /** Milliseconds of processor time, its ended children's included. */
  cpu: number;
}

/** Everything that is known of running processes (proc(5), /proc/pid/stat). */
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
        const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
        return { pid: Number(entry), parent: Number(fields[1]), cpu: (ticks * 1000) / TICKS_PER_SECOND };
      }),
  );
  return found.filter((process) => process !== undefined);
}

function familyOf(root: number, all: readonly Process[]): Process[] {
  const family = all.filter(({ pid }) => pid === root);
  for (const { pid } of family) family.push(...all.filter(({ parent }) => parent === pid));
  return family;
}

/** Takes a process, returns the milliseconds of processor time that it and all its descendants have used. */
export async function familyCpu(pid: number): Promise<number> {
  return familyOf(pid, await processes()).reduce((sum, { cpu }) => sum + cpu, 0);
}

/** Takes a process, returns the milliseconds of processor time that it alone has used. */
export async function ownCpu(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** Takes a process, returns the bytes of memory of it and its descendants, what they share counted once. */
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
