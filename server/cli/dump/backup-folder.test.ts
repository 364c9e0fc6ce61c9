import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { backupName, deleteOldBackups } from "./backup-folder.ts";

const NOW = new Date("2026-11-26T03:15:00.000Z");
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);
const OTHERS = [
  "2026-01-01.sql",
  "move.sql.zst",
  "techfolio-notes.txt",
  "techfolio-20260101T000000.000Z.sql",
];

async function folderWith(names: string[]) {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-backups-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of [...names, ...OTHERS]) await writeFile(path.join(folder, name), "x");
  return {
    folder,
    left: async () => (await readdir(folder)).filter((name) => !OTHERS.includes(name)).sort(),
  };
}

test.each([
  [{ keep: 2 }, [1, 0], 3],
  [{ days: 3 }, [2, 1, 0], 2],
  [{ keep: 2, days: 3 }, [1, 0], 3],
  [{ keep: 10, days: 3 }, [2, 1, 0], 2],
  [{ keep: 10 }, [40, 4, 2, 1, 0], 0],
])("with %j, the backups of %j days ago remain, and %d are deleted", async (retention, kept, deleted) => {
  const { folder, left } = await folderWith([0, 1, 2, 4, 40].map((days) => backupName(daysAgo(days))));
  expect(await deleteOldBackups(folder, retention, NOW)).toBe(deleted);
  expect(await left()).toEqual(kept.map((days) => backupName(daysAgo(days))));
  expect(await readdir(folder)).toEqual(expect.arrayContaining(OTHERS));
});

test("the newest backup remains however old it is, and unfinished files of killed backups are deleted by their age", async () => {
  const partial = (days: number) =>
    `${backupName(daysAgo(days))}.5b0c4c43-9d0b-4d8f-8f1d-8b11d0f6e5b0.partial`;
  const { folder, left } = await folderWith([backupName(daysAgo(50)), partial(0), partial(60)]);
  expect(await deleteOldBackups(folder, { keep: 1, days: 30 }, NOW)).toBe(0);
  expect(await left()).toEqual([backupName(daysAgo(50)), partial(0)]);
});

test("two backups that are made a millisecond apart have different names", () => {
  expect(backupName(new Date(NOW.getTime() + 1))).not.toBe(backupName(NOW));
});
