import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { signKeys } from "../../server/auth/keys.ts";
import { OperatorError } from "../../server/config/operator-error.ts";
import { makeCertificates } from "../support/certificates.ts";
import { startExternalServer } from "../support/external-server.ts";
import { clientOf, startHere, startProcess } from "../support/process.ts";

const folder = await mkdtemp(path.join(tmpdir(), "techfolio-tls-"));
const certificates = await makeCertificates(folder, "localhost");
const otherAuthority = await mkdtemp(path.join(tmpdir(), "techfolio-tls-"));
await makeCertificates(otherAuthority, "localhost");
const server = certificates && (await startExternalServer({ tls: certificates }));

afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true });
  await rm(otherAuthority, { recursive: true });
});

// One site at a time serves the same database, so only the first start runs the migrations.
const AUTH_JWT_SECRET = randomBytes(32).toString("hex");
const database = await server?.createDatabase();

function settingsWith(parameters: Record<string, string>, host = "localhost") {
  if (!database) throw new Error("There is no server");
  const url = new URL(database);
  url.hostname = host;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { DATABASE_URL: url.href, AUTH_JWT_SECRET };
}

async function expectTls(url: string) {
  const { anonKey } = await signKeys(AUTH_JWT_SECRET);
  expect((await clientOf({ url }, anonKey).from("articles").select("id")).error).toBeNull();
  const connections = `select distinct ssl from pg_stat_activity join pg_stat_ssl using (pid)
    where application_name = 'techfolio'`;
  expect((await server?.query(connections))?.rows).toEqual([{ ssl: true }]);
}

// Skipped without openssl, which makes the certificates.
describe.skipIf(!server)("a site on a database server with TLS", () => {
  // A process, because pg prints its warning only once per process.
  test("with sslmode=require in DATABASE_URL, a site queries the database over TLS", async () => {
    const site = await startProcess(settingsWith({ sslmode: "require" }));
    await site.running();
    await expectTls(site.url);
    expect(site.stderr()).not.toContain("SECURITY WARNING");
    await site.end("SIGTERM");
  });

  test.each<[string, Record<string, string>, string?]>([
    ["verify-ca", { sslmode: "verify-ca", sslrootcert: path.join(folder, "ca.crt") }, "127.0.0.1"],
    ["verify-full", { sslmode: "verify-full", sslrootcert: path.join(folder, "ca.crt") }],
  ])(
    "with sslmode=%s in DATABASE_URL, a site queries the database over TLS",
    async (_mode, parameters, host) => {
      await expectTls((await startHere(settingsWith(parameters, host))).url);
    },
  );

  test.each<[string, Record<string, string>, string?]>([
    ["a missing sslmode", {}],
    ["an unknown certificate authority", { sslmode: "verify-full" }],
    [
      "the wrong certificate authority",
      { sslmode: "verify-full", sslrootcert: path.join(otherAuthority, "ca.crt") },
    ],
    [
      "the wrong host name",
      { sslmode: "verify-full", sslrootcert: path.join(folder, "ca.crt") },
      "127.0.0.1",
    ],
  ])(
    "a site on a database server that requires TLS refuses to start because of %s",
    async (_case, parameters, host) => {
      const error = await startHere(settingsWith(parameters, host)).catch((reason) => reason);
      expect(error).toBeInstanceOf(OperatorError);
      expect(error.message).toMatch(/^The server in DATABASE_URL cannot be used: [^\n]*\.$/);
    },
  );
});
