import { readdir, readFile } from "node:fs/promises";

async function readThreads(pid: number, file: string): Promise<string[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  return Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/${file}`, "utf8").catch(() => "")),
  );
}

/** Returns the memory of a process and its descendants in megabytes. Shared memory counts only once. */
export async function familyMemory(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  const own = (Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024) / 1e6;
  const children = (await readThreads(pid, "children")).flatMap((list) => list.match(/\d+/g) ?? []);
  const sizes = await Promise.all(children.map((child) => familyMemory(Number(child))));
  return sizes.reduce((sum, size) => sum + size, own);
}
