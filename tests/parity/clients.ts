// Sends requests of clients that were written elsewhere to a fresh site: supabase-py, and schemathesis, which generates
// requests from the site's OpenAPI document. Prints the number of requests, of 5xx, and of responses that the document
// doesn't describe.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startServer } from "../support/server.ts";

const PACKAGES = ["supabase==2.34.1", "schemathesis==4.32.5"];
const CHECKS =
  "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";
/** The clients reach the site without a proxy. httpx, which supabase-py uses, can't read an IPv6 address in `no_proxy`. */
const NO_PROXY = { no_proxy: "*", NO_PROXY: "*" };

const python = process.env["PYTHON"] ?? "python3";
const folder = await mkdtemp(path.join(tmpdir(), "clients-"));
const METRICS_TOKEN = randomBytes(16).toString("hex");
const site = await startServer({ METRICS_TOKEN, SEED: "demo" });
let failed = 0;

async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<void> {
  const [code] = await once(
    spawn(command, args, { cwd: folder, stdio: "inherit", env: { ...process.env, ...env } }),
    "exit",
  );
  if (code === 0) return;
  failed += 1;
  console.error(`${path.basename(command)} ended with code ${code}`);
}

async function countResponses(): Promise<Map<string, number>> {
  const response = await fetch(`${site.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const lines = (await response.text()).matchAll(
    /^techfolio_http_requests_total\{.*status="(\d+)".*\} (\d+)/gm,
  );
  const counts = new Map<string, number>();
  for (const [, status = "", count] of lines) counts.set(status, (counts.get(status) ?? 0) + Number(count));
  return counts;
}

/** The parts of schemathesis' events that we read. */
interface SchemathesisEvent {
  ScenarioFinished?: { recorder: { checks?: Record<string, { status: string; name: string }[]> } };
}

/** Counts the responses in a report of schemathesis that break a check other than that for 5xx. */
async function countUndocumented(report: string): Promise<number> {
  const lines = (await readFile(report, "utf8")).trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as SchemathesisEvent);
  const checks = events.flatMap((event) => Object.values(event.ScenarioFinished?.recorder.checks ?? {}));
  const isBroken = ({ status, name }: { status: string; name: string }) =>
    status === "failure" && name !== "not_a_server_error";
  return checks.filter((ofResponse) => ofResponse.some(isBroken)).length;
}

async function addMember() {
  const member = { email: "clients@example.com", password: randomBytes(12).toString("hex") };
  const headers = { apikey: site.keys.serviceKey, "content-type": "application/json" };
  const body = JSON.stringify({ ...member, email_confirm: true });
  const response = await fetch(`${site.url}/auth/v1/admin/users`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`The member could not be added: ${await response.text()}`);
  return member;
}

try {
  const bin = (name: string) => path.join(folder, process.platform === "win32" ? "Scripts" : "bin", name);
  await run(python, ["-m", "venv", folder]);
  await run(bin("pip"), ["install", "--quiet", ...PACKAGES]);
  const { email, password } = await addMember();
  const key = site.keys.anonKey;
  const env = { ...NO_PROXY, SITE_URL: site.url, SITE_KEY: key, SITE_EMAIL: email, SITE_PASSWORD: password };
  await run(bin("python"), [path.join(import.meta.dirname, "clients.py")], env);
  const api = `${site.url}/rest/v1/`;
  const report = path.join(folder, "report.ndjson");
  const options = ["--header", `apikey: ${key}`, "--checks", CHECKS, "--max-examples", "30", "--no-color"];
  const reporting = ["--continue-on-failure", "--report", "ndjson", "--report-ndjson-path", report];
  await run(bin("schemathesis"), ["run", api, ...options, ...reporting], NO_PROXY);
  const undocumented = await countUndocumented(report);
  const counts = [...(await countResponses())].toSorted();
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  console.log(`${total} requests: ${counts.map(([status, count]) => `${count} × ${status}`).join(", ")}`);
  const errors = counts.filter(([status]) => status.startsWith("5"));
  const errorCount = errors.reduce((sum, [, count]) => sum + count, 0);
  console.log(`${errorCount} × 5xx, ${undocumented} responses that the document doesn't describe`);
  if (errorCount + undocumented > 0) failed += 1;
} finally {
  await site.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);
