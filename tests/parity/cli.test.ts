// Applies the repository's migrations with the real Supabase CLI. `npm run parity` downloads the CLI, so `npm test`
// excludes this file.
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { startExternalServer } from "../support/external-server.ts";
import { createHostedProject } from "../support/hosted-project.ts";

const { SUPABASE_CLI = "", PATH = "" } = process.env;
const source = path.join(import.meta.dirname, "../../supabase");

interface CliResult {
  /** The parsed JSON that the command printed. */
  result: Record<string, unknown>;
  warnings: string[];
}

async function supabase(...command: string[]): Promise<CliResult> {
  const options = [`--remote=${address}`, `--workdir=${folder}`, "--output-format=json", "--yes"];
  const { stdout, stderr } = await promisify(execFile)(SUPABASE_CLI, [...command, ...options], {
    env: { PATH, HOME: folder, PGSSLMODE: "disable", DO_NOT_TRACK: "1" },
  }).catch(({ message, stdout }) => {
    // The command writes what it has found to its standard output.
    throw new Error(`${message}\n${stdout}`);
  });
  const warnings = stderr.split("\n").filter((line) => /warn|deprecat/i.test(line));
  return { result: JSON.parse(stdout), warnings };
}

const server = await startExternalServer();
const address = await createHostedProject(server, "project");
// The CLI writes files next to the ones it reads, so it works on a copy of the folder.
const folder = await mkdtemp(path.join(tmpdir(), "techfolio-cli-"));
await cp(source, path.join(folder, "supabase"), { recursive: true });
const pushed = await supabase("db", "push", "--include-seed");
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await server.stop();
});

test("the CLI's db push applies every migration and the seed without a warning", async () => {
  const migrations = (await readdir(path.join(source, "migrations"))).sort();
  expect(pushed).toMatchObject({ result: { migrations }, warnings: [] });
  const { rows } = await server.query("select count(*)::int as count from public.articles", "project");
  expect(rows[0]?.count).toBeGreaterThan(0);
});

test("a second db push with the CLI changes nothing", async () => {
  const { result } = await supabase("db", "push", "--include-seed");
  expect(result).toMatchObject({ upToDate: true, migrations: [], seeds: [] });
});

test("the CLI's migration list shows every migration as applied", async () => {
  const { result, warnings } = await supabase("migration", "list");
  const versions = (await readdir(path.join(source, "migrations"))).sort().map((file) => file.slice(0, 14));
  expect(result["migrations"]).toMatchObject(
    versions.map((version) => ({ local: version, remote: version })),
  );
  expect(warnings).toEqual([]);
});

test("the CLI's database advisors report nothing except unused indexes", async () => {
  const { result, warnings } = await supabase("db", "advisors", "--level=info");
  const advice = result["results"] as { name: string }[];
  expect(advice.filter(({ name }) => name !== "unused_index")).toEqual([]);
  expect(warnings).toEqual([]);
});

test("the CLI's linter has no warning about a function of the schemas public and private", async ({
  skip,
}) => {
  const { rowCount } = await server.query("select from pg_available_extensions where name = 'plpgsql_check'");
  skip(rowCount === 0, "this PostgreSQL has no plpgsql_check");
  await server.query("create extension plpgsql_check", "project");
  const lint = await supabase("db", "lint", "--schema=public,private", "--fail-on=warning");
  expect(lint).toMatchObject({ result: { results: [] }, warnings: [] });
});

test("the CLI accepts config.toml without a warning, but warns about a deprecated key that is added to it", async () => {
  expect((await supabase("db", "push", "--dry-run")).warnings).toEqual([]);
  const file = path.join(folder, "supabase/config.toml");
  const deprecated = "[auth.email]\nenable_signup = false";
  await writeFile(file, (await readFile(file, "utf8")).replace("[auth.email]", deprecated));
  expect((await supabase("db", "push", "--dry-run")).warnings).toHaveLength(1);
});
