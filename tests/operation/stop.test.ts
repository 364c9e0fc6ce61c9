import { expect, test, vi } from "vitest";
import { readKeys } from "../support/data-dir.ts";
import { makeMember } from "../support/database.ts";
import { startMailServer } from "../support/mail-server.ts";
import { adminOf, clientOf, startHere, startProcess, temporaryCluster } from "../support/process.ts";
import type { SiteProcess } from "../support/site-process.ts";

const WAIT_OPTIONS = { timeout: 10_000 };

async function isRefused(url: string): Promise<boolean> {
  return fetch(url).then(
    () => false,
    () => true,
  );
}

async function waitUntilClosed(site: SiteProcess): Promise<void> {
  await vi.waitFor(async () => expect(await isRefused(`${site.url}/healthz`)).toBe(true), {
    timeout: 10_000,
  });
}

test("on SIGTERM, a server finishes requests in flight, accepts no new ones, and exits with code 0", async () => {
  const dataDir = await temporaryCluster();
  const site = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
  await site.running();
  const { serviceKey } = await readKeys(dataDir);
  const admin = await adminOf(dataDir);
  const owner = await makeMember(admin);

  // The request below waits for this lock, so it is in flight when the server receives the signal.
  await admin.query("begin; lock table public.useful_links");
  const row = { profile_id: owner, title: "Under way", url: "/", category: "Test" };
  const request = clientOf(site, serviceKey).from("useful_links").insert(row).select("title").then();
  await vi.waitFor(async () => {
    const { rows } = await admin.query("select count(*)::int as waiting from pg_locks where not granted");
    expect(rows[0]?.waiting).toBe(1);
  }, WAIT_OPTIONS);

  site.child.kill("SIGTERM");
  await waitUntilClosed(site);
  expect(site.child.exitCode).toBeNull();
  await admin.query("commit");
  expect(await request).toMatchObject({ status: 201, data: [{ title: "Under way" }] });
  expect(await site.ended).toEqual({ code: 0, signal: null });
});

test.each([
  ["json", "SIGTERM"],
  ["text", "SIGHUP"],
] as const)("a server whose log (%s) is on a full disk responds, and stops on %s", async (format, signal) => {
  const site = await startProcess(
    { DATA_DIR: await temporaryCluster(), SEED: "none", LOG_FORMAT: format },
    { prefix: ["sh", "-c", 'exec "$0" "$@" 2>/dev/full'] },
  );
  await site.running();
  expect((await fetch(`${site.url}/articles`)).status).toBe(200);
  expect(await site.end(signal)).toEqual({ code: 0, signal: null });
});

test("on SIGINT, a server finishes sending its emails before it exits with code 0", async () => {
  const dataDir = await temporaryCluster();
  const greeting = Promise.withResolvers<void>();
  const { received, smtp } = await startMailServer("", greeting.promise);
  const site = await startProcess({
    DATA_DIR: dataDir,
    SEED: "none",
    SMTP_HOST: smtp.host,
    SMTP_PORT: String(smtp.port),
    SMTP_FROM: smtp.from,
  });
  await site.running();
  const { serviceKey } = await readKeys(dataDir);
  const client = clientOf(site, serviceKey);
  const email = "ada@example.com";
  await client.auth.admin.createUser({ email, email_confirm: true });
  expect((await client.auth.resetPasswordForEmail(email)).error).toBeNull();
  site.child.kill("SIGINT");
  await waitUntilClosed(site);
  expect(received).toEqual([]);
  greeting.resolve();
  expect(await site.ended).toEqual({ code: 0, signal: null });
  expect(received).toContain(`RCPT TO:<${email}>`);
  expect(received).toContain(".");
  expect(site.stderr()).not.toContain("mail.failed");
});

test("the launcher forwards signals to the server and returns its exit code", async () => {
  const dataDir = await temporaryCluster();
  const launcher = await startProcess({ DATA_DIR: dataDir, SEED: "none" }, { program: "scripts/start.mjs" });
  await launcher.running();
  expect(await launcher.end("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(await isRefused(launcher.url)).toBe(true);

  const refused = await startProcess(
    { DATA_DIR: dataDir, SEED: "perhaps" },
    { program: "scripts/start.mjs" },
  );
  expect(await refused.ended).toEqual({ code: 1, signal: null });
  expect(refused.stderr()).toContain("SEED");
});

test("a server exits when its launcher is killed, and another can start in the same data directory", async () => {
  const dataDir = await temporaryCluster();
  const launcher = await startProcess({ DATA_DIR: dataDir, SEED: "none" }, { program: "scripts/start.mjs" });
  await launcher.running();
  launcher.child.kill("SIGKILL");
  await waitUntilClosed(launcher);
  // The server inherits the launcher's output pipes, so `ended` resolves only after the server has exited too.
  expect(await launcher.ended).toEqual({ code: null, signal: "SIGKILL" });
  const next = await startHere({ DATA_DIR: dataDir, SEED: "none" });
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
});
