// If SUPABASE_URL is set, checks that this Supabase project does what Techfolio needs. Always checks that the Supabase
// CLI accepts config.toml and the migrations on several major versions of PostgreSQL. `npm run parity -- clients` instead
// runs Python clients against a fresh site.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { build, ensureInstalled, findNode, root, run } from "./ensure.mjs";
import { exitLike, onStop } from "./serve.mjs";
import { withPackage, withPostgres } from "./test-packages.mjs";

const CLI = "supabase@3.1.0";
const VERSIONS = ["15", "17", "18"];

await ensureInstalled();
const node = findNode();
let failed = 0;

if (process.argv[2] === "clients") await runClients();

const isProjectNamed = Boolean(process.env.SUPABASE_URL) || /^\s*SUPABASE_URL=\S/m.test(readSettings());
if (isProjectNamed) test("parity.test.ts", { PARITY: "project" });

console.log(`Checking the migrations and config.toml with ${CLI}…`);
await withPackage(CLI, async (modules) => {
  const SUPABASE_CLI = path.join(modules, ".bin/supabase");
  for (const major of VERSIONS) {
    await withPostgres(major, (TEST_POSTGRES) => test("cli.test.ts", { SUPABASE_CLI, TEST_POSTGRES }));
  }
  // `db lint` needs the extension plpgsql_check, which no package on Maven Central contains.
  if (hasLinter()) {
    console.log("This machine's PostgreSQL, with plpgsql_check");
    test("cli.test.ts", { SUPABASE_CLI });
  } else {
    console.log("db lint was not run: install plpgsql_check (on Debian 12, postgresql-15-plpgsql-check).");
  }
});
if (!isProjectNamed) console.log("No Supabase project was checked, because SUPABASE_URL is not set.");
process.exit(failed === 0 ? 0 : 1);

async function runClients() {
  await build(node);
  const program = path.join(root, "tests/parity/clients.ts");
  const clients = spawn(node, ["--disable-warning=ExperimentalWarning", program], {
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "production" },
  });
  onStop((signal) => clients.kill(signal));
  clients.on("exit", exitLike);
  await new Promise(() => undefined);
}

function hasLinter() {
  const { status, stdout } = spawnSync("pg_config", ["--sharedir"], { encoding: "utf8" });
  return status === 0 && existsSync(path.join(stdout.trim(), "extension/plpgsql_check.control"));
}

function readSettings() {
  const file = path.join(root, ".env");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function test(file, environment) {
  const { status } = run(node, "vitest", "vitest", ["run", `tests/parity/${file}`], {
    NODE_ENV: "test",
    ...environment,
  });
  if (status !== 0) failed += 1;
}
