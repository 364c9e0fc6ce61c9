import { readdir, readFile } from "node:fs/promises";
import type pg from "pg";

/** Returns what Linux reports about the time on a CPU: the scheduler's nanoseconds, in milliseconds. */
async function schedstat(folder: string): Promise<number> {
  const text = await readFile(`${folder}/schedstat`, "utf8").catch(() => "");
  return Number(text.split(" ")[0]) / 1e6;
}

/** Returns the CPU milliseconds of a process, with all its threads. */
export async function ownCpu(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = await Promise.all(threads.map((thread) => schedstat(`/proc/${pid}/task/${thread}`)));
  return times.reduce((sum, time) => sum + time, 0);
}

/** The unit of the times in /proc/{pid}/stat: sysconf(_SC_CLK_TCK) is 100 on Linux. */
const TICK_MS = 10;

/** Like `ownCpu`, to the nearest 10 ms, but with the threads that have ended. */
export async function ownCpuEver(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name of the program, in parentheses, can contain blanks. `utime` and `stime` are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

export const mainThreadCpu = (pid: number) => schedstat(`/proc/${pid}/task/${pid}`);

/**
 * Returns the CPU milliseconds of each of the database's connections, except `admin`. PostgreSQL's background processes
 * vary too much to be counted.
 */
export async function connectionsCpu(admin: pg.Client | pg.Pool): Promise<Map<number, number>> {
  const { rows } = await admin.query<{ pid: number }>(
    "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  );
  return new Map(await Promise.all(rows.map(async ({ pid }) => [pid, await ownCpu(pid)] as const)));
}

/** Returns the CPU milliseconds that the connections have used since `before`. */
export async function connectionsCpuSince(
  admin: pg.Client | pg.Pool,
  before: Map<number, number>,
): Promise<number> {
  let sum = 0;
  for (const [pid, cpu] of await connectionsCpu(admin)) sum += cpu - (before.get(pid) ?? 0);
  return sum;
}
