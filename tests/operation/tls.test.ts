import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { signKeys } from "../../server/auth/keys.ts";
import { makeCertificates } from "../support/certificates.ts";
import { startExternalServer } from "../support/external-server.ts";
import { clientOf, startProcess } from "../support/process.ts";

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

async function start(parameters: Record<string, string>, host = "localhost") {
  if (!server) throw new Error("There is no server");
  const url = new URL(await server.createDatabase());
  url.hostname = host;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const AUTH_JWT_SECRET = randomBytes(32).toString("hex");
  const site = await startProcess({ DATABASE_URL: url.href, AUTH_JWT_SECRET });
  return { site, anonKey: (await signKeys(AUTH_JWT_SECRET)).anonKey };
}

// Skipped without openssl, which makes the certificates.
describe.skipIf(!server)("a site on a database server with TLS", () => {
  test.each<[string, Record<string, string>, string?]>([
    ["require", { sslmode: "require" }],
    ["verify-ca", { sslmode: "verify-ca", sslrootcert: path.join(folder, "ca.crt") }, "127.0.0.1"],
    ["verify-full", { sslmode: "verify-full", sslrootcert: path.join(folder, "ca.crt") }],
  ])(
    "a site whose DATABASE_URL has sslmode=%s queries the database over TLS",
    async (_mode, parameters, host) => {
      const { site, anonKey } = await start(parameters, host);
      await site.running();
      expect((await clientOf(site, anonKey).from("articles").select("id")).error).toBeNull();
      expect(site.stderr()).not.toContain("SECURITY WARNING");
      const connections = `select distinct ssl from pg_stat_activity join pg_stat_ssl using (pid)
      where application_name = 'techfolio'`;
      expect((await server?.query(connections))?.rows).toEqual([{ ssl: true }]);
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
    ["a missing certificate file", { sslmode: "verify-full", sslrootcert: path.join(folder, "none.crt") }],
  ])("a site on a database server that requires TLS exits because of %s", async (_case, parameters, host) => {
    const { site } = await start(parameters, host);
    expect(await site.ended).toEqual({ code: 1, signal: null });
    expect(site.stderr()).toMatch(/^The server in DATABASE_URL cannot be used: [^\n]*\.\n$/);
  });
});
