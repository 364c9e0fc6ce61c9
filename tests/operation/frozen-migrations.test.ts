import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";

const folder = path.join(import.meta.dirname, "../../supabase");

test("every migration matches its hash in supabase/migrations.sha256", async () => {
  const names = (await readdir(path.join(folder, "migrations"))).sort();
  const lines = await Promise.all(
    names.map(async (name) => {
      const content = await readFile(path.join(folder, "migrations", name));
      return `${createHash("sha256").update(content).digest("hex")}  ${name}`;
    }),
  );
  // To add a migration's hash: cd supabase/migrations && sha256sum NAME >> ../migrations.sha256
  expect(lines).toEqual((await readFile(path.join(folder, "migrations.sha256"), "utf8")).trim().split("\n"));
});
