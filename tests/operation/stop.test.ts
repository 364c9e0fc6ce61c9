import { expect, test, vi } from "vitest";
import { readKeys } from "../support/data-dir.ts";
import { makeMember } from "../support/database.ts";
import { startMailServer } from "../support/mail-server.ts";
import { adminOf, clientOf, startProcess, temporaryCluster } from "../support/process.ts";
import type { SiteProcess } from "../support/site-process.ts";

const patience = { timeout: 10_000 };

async function isRefused(url: string): Promise<boolean> {
  return fetch(url).then(
    () => false,
    () => true,
  );
}

async function gone(site: SiteProcess): Promise<void> {
  await vi.waitFor(async () => expect(await isRefused(`${site.url}/healthz`)).toBe(true), {
    timeout: 10_000,
  });
}

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s finishes what is under way, takes nothing new, and ends in order",
  async (signal) => {
    const dataDir = await temporaryCluster();
    const site = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
    await site.running();
    const { serviceKey } = await readKeys(dataDir);
    const admin = await adminOf(dataDir);
    const owner = await makeMember(admin);

    // The request waits for a lock that this test holds.
    await admin.query("begin; lock table public.useful_links");
    const row = { profile_id: owner, title: "Under way", url: "/", category: "Test" };
    const request = clientOf(site, serviceKey).from("useful_links").insert(row).select("title").then();
    await vi.waitFor(async () => {
      const { rows } = await admin.query("select count(*)::int as waiting from pg_locks where not granted");
      expect(rows[0]?.waiting).toBe(1);
    }, patience);

    site.child.kill(signal);
    await gone(site);
    expect(site.child.exitCode).toBeNull();
    await admin.query("commit");
    expect(await request).toMatchObject({ status: 201, data: [{ title: "Under way" }] });
    expect(await site.ended).toEqual({ code: 0, signal: null });
  },
);

test("SIGTERM finishes the mails under way", async () => {
  const dataDir = await temporaryCluster();
  const { told, smtp } = await startMailServer("", 2_500);
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
  expect(await site.end("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(told).toContain(`RCPT TO:<${email}>`);
  expect(told).toContain(".");
  expect(site.stderr()).not.toContain("mail.failed");
});

test("a server whose launcher is gone stops by itself, and the next one starts", async () => {
  const dataDir = await temporaryCluster();
  const site = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
  await site.running();
  site.child.disconnect();
  expect(await site.ended).toEqual({ code: 0, signal: null });
  const next = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
  await next.running();
});

test("the launcher hands signals in and the exit code out", async () => {
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

test("a launcher that is killed takes its server along", async () => {
  const dataDir = await temporaryCluster();
  const launcher = await startProcess({ DATA_DIR: dataDir, SEED: "none" }, { program: "scripts/start.mjs" });
  await launcher.running();
  launcher.child.kill("SIGKILL");
  await gone(launcher);
  // Its pipes are open for as long as the server lives.
  expect(await launcher.ended).toEqual({ code: null, signal: "SIGKILL" });
});
