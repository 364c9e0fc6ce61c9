import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root })
  .toString()
  .trim()
  .split("\n");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm;
/** Names of other projects, whose code the comments refer to. */
const ELSEWHERE = [
  "adminGenerateLink", // GoTrue
  "diffWords", // the package diff
  "fsGroup", // Kubernetes
  "parse_link", // llms-txt
  "publish_date", // the front matter of other programs
  "redirectErrors", // GoTrue
  "requireAdmin", // GoTrue
  "sun_path", // POSIX
  "admin_shutdown", // PostgreSQL
  "max_rows", // the configuration of PostgREST
];

/** Files of Supabase's projects, one of Chromium, and an example of a backup's name. */
const FILES_ELSEWHERE = /^(src\/|chromiumSwitches\.ts$|techfolio-\d)/;

const comments = files
  .filter((file) => /\.(ts|tsx|mjs|cjs)$/.test(file))
  .flatMap((file) => [...read(file).matchAll(COMMENT)].map(([comment]) => ({ file, comment })));

test("each name of several words in backticks in a comment exists in the code", () => {
  const known = new Set(ELSEWHERE);
  for (const file of files.filter((file) => /\.(ts|tsx|mjs|cjs|sql|css|peggy|json|ya?ml)$/.test(file))) {
    if (file === "package-lock.json") continue;
    for (const [word] of read(file)
      .replace(COMMENT, "")
      .matchAll(/[A-Za-z_$][\w$]*/g))
      known.add(word);
  }
  const names = comments.flatMap(({ file, comment }) =>
    [...comment.matchAll(/`([A-Za-z_$][\w$]*)(\([^`\n]*)?`/g)].map(([, name = ""]) => ({ file, name })),
  );
  const compound = names.filter(({ name }) => /[a-z][A-Z]|_/.test(name));
  expect(compound.length).toBeGreaterThan(200);
  expect(compound.filter(({ name }) => !known.has(name))).toEqual([]);
});

test("each source file that a comment names exists", () => {
  const named = comments.flatMap(({ file, comment }) =>
    [...comment.matchAll(/(?<![\w./-])[\w-]+([\w./-]*[\w-])?\.(tsx?|mjs|cjs|sql|peggy)\b/g)].map(
      ([name]) => ({
        file,
        name,
      }),
    ),
  );
  expect(named.length).toBeGreaterThan(30);
  const exists = (name: string) => files.some((file) => file === name || file.endsWith(`/${name}`));
  const ours = named.filter(({ name }) => !FILES_ELSEWHERE.test(name));
  expect(ours.filter(({ name }) => !exists(name))).toEqual([]);
});
