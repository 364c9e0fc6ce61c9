// Sends requests of clients that were written elsewhere to a fresh site: supabase-py, and schemathesis, which generates
// requests from the site's OpenAPI document. Prints the number of requests, the 5xx, and what the document lacks.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startServer } from "../support/server.ts";

const PACKAGES = ["supabase==2.34.1", "schemathesis==4.32.5"];
const CHECKS =
  "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";

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
  const env = { SITE_URL: site.url, SITE_KEY: key, SITE_EMAIL: email, SITE_PASSWORD: password };
  await run(bin("python"), [path.join(import.meta.dirname, "clients.py")], env);
  const api = `${site.url}/rest/v1/`;
  const options = ["--header", `apikey: ${key}`, "--checks", CHECKS, "--max-examples", "30", "--no-color"];
  await run(bin("schemathesis"), ["run", api, ...options]);
  const counts = [...(await countResponses())].toSorted();
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  console.log(`${total} requests: ${counts.map(([status, count]) => `${count} × ${status}`).join(", ")}`);
  const errors = counts.filter(([status]) => status.startsWith("5"));
  if (errors.length > 0) failed += 1;
} finally {
  await site.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);
