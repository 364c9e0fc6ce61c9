import { constants, globSync } from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { KINDS } from "../../common/kinds/index.ts";
import packageJson from "../../package.json" with { type: "json" };
import { DUMPED_TABLES } from "../../server/cli/dump/dumped-tables.ts";
import { createAuthenticator, registerPasskey, signInWithPasskey } from "../support/authenticator.ts";
import { backUp, MEMBER_LOGIN, restore, startSite } from "../support/backups.ts";
import { readKeys } from "../support/data-dir.ts";
import { exampleRow } from "../support/example-rows.ts";
import { startExternalServer } from "../support/external-server.ts";
import { freePort } from "../support/free-port.ts";
import { startMailServer } from "../support/mail-server.ts";
import { adminOf, clientOf, startHere, temporaryFolder } from "../support/process.ts";

/** Each release has written its own. Don't change them. */
const FOLDER = path.join(import.meta.dirname, "../support");
const RELEASES = globSync("backup-*.*.*.sql", { cwd: FOLDER }).map((file) =>
  file.slice("backup-".length, -4),
);
const fileOf = (release: string) => path.join(FOLDER, `backup-${release}.sql`);

type Row = Record<string, string>;

/** Returns each table's rows, in PostgreSQL's text format for COPY. */
async function readDump(file: string): Promise<Map<string, Row[]>> {
  const tables = new Map<string, Row[]>();
  const dump = await readFile(file, "utf8");
  for (const [, table = "", list = "", data = ""] of dump.matchAll(
    /^copy (\S+) \((.+)\) from stdin;\n([\s\S]*?)^\\\.$/gm,
  )) {
    const columns = list.split(", ");
    const lines = data.split("\n").filter((line) => line !== "");
    const rows = lines.map((line) => {
      const values = line.split("\t");
      return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? ""]));
    });
    tables.set(table, rows);
  }
  return tables;
}

test.runIf(process.env["WRITE_RELEASE_BACKUP"])("writes the backup of this release", async () => {
  const site = await startSite(2_000);
  const member = clientOf(site, (await readKeys(site.dataDir)).anonKey);
  await member.auth.signInWithPassword(MEMBER_LOGIN);
  const skill = { profile_id: site.member, category: "sql", name: "Window functions" };
  expect((await member.from("skills").insert(skill)).error).toBeNull();
  for (const kind of KINDS) {
    const row = exampleRow(kind, site.member);
    const { data, error } = await member.from(kind.table).insert(row).select("id").single();
    expect(error).toBeNull();
    const changed = await member.from(kind.table).update({ title: "Changed" }).eq("id", data?.["id"]);
    expect(changed.error).toBeNull();
  }
  const admin = await adminOf(site.dataDir);
  await admin.query(
    `insert into auth.identities (provider, provider_id, user_id, identity_data)
     select 'oidc', 'subject', id, jsonb_build_object('sub', 'subject', 'email', email) from auth.users`,
  );
  await admin.query(
    `insert into public.operator_log (operator, action, target) values ('member', 'feature', 'keeper@example.com')`,
  );
  await admin.query(
    `insert into private.invitation_links (code_digest, people, expires_at)
     values ('a digest', 10, now() + interval '7 days')`,
  );
  await admin.query(
    `insert into auth.webauthn_credentials (user_id, credential_id, public_key, friendly_name)
     select id, 'an id', 'a key', 'Laptop' from auth.users`,
  );
  // Fails if the version's file exists.
  const file = fileOf(packageJson.version);
  await copyFile(await backUp({ DATA_DIR: site.dataDir }), file, constants.COPYFILE_EXCL);
});

const external = await startExternalServer();
afterAll(() => external.stop());

const STORES: [string, () => Promise<Record<string, string>>][] = [
  ["DATA_DIR", async () => ({ DATA_DIR: path.join(await temporaryFolder(), "data") })],
  ["DATABASE_URL", async () => ({ DATABASE_URL: await external.createDatabase() })],
];

test.each(RELEASES.flatMap((release) => STORES.map((store) => [release, ...store] as const)))(
  "a backup made by %s can be restored into %s, and every value of every table is there",
  async (release, _name, newSettings) => {
    const backup = fileOf(release);
    const old = await readDump(backup);
    const filled = [...old].filter(([, rows]) => rows.length > 0).map(([table]) => table);
    const isSession = (table: string) => /sessions|tokens/.test(table);
    expect(filled).toEqual(DUMPED_TABLES.filter((table) => old.has(table) && !isSession(table)));
    expect(filled).toEqual(
      expect.arrayContaining(["public.versions", "public.operator_log", "storage.objects"]),
    );

    const settings = await newSettings();
    expect(await restore(backup, settings)).toMatchObject({ code: 0, stderr: "" });
    const restored = await readDump(await backUp(settings));
    for (const [table, rows] of old) {
      const columns = Object.keys(rows[0] ?? {});
      const onlyOld = (row: Row) => JSON.stringify(columns.map((column) => row[column]));
      expect((restored.get(table) ?? []).map(onlyOld).sort(), table).toEqual(rows.map(onlyOld).sort());
    }
  },
);

test("on a site with data of 0.1.0, an invitation link, a report, an email's own text and a passkey work", async () => {
  const dataDir = path.join(await temporaryFolder(), "data");
  expect(await restore(fileOf("0.1.0"), { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  const templates = await temporaryFolder();
  await writeFile(path.join(templates, "join.subject.txt"), "Your place at {{ .SiteName }}");
  const mail = await startMailServer();
  const port = String(await freePort());
  const SITE_URL = `http://localhost:${port}`;
  const site = await startHere({
    PORT: port,
    DATA_DIR: dataDir,
    SITE_URL,
    REPORTS: "on",
    MAIL_TEMPLATES: templates,
    SMTP_HOST: mail.smtp.host,
    SMTP_PORT: String(mail.smtp.port),
    SMTP_FROM: mail.smtp.from,
    SMTP_SECURE: "false",
  });
  const { anonKey, serviceKey } = await readKeys(dataDir);
  const service = clientOf(site, serviceKey);
  const member = clientOf(site, anonKey);
  const { data: signedIn } = await member.auth.signInWithPassword(MEMBER_LOGIN);
  const id = signedIn.user?.id ?? "";
  await service.auth.admin.updateUserById(id, { app_metadata: { role: "operator" } });

  const authenticator = createAuthenticator(SITE_URL);
  expect((await registerPasskey(member, authenticator)).error).toBeNull();
  const operator = clientOf(site, anonKey);
  const { data } = await signInWithPasskey(operator, authenticator);
  expect(data?.user?.email).toBe(MEMBER_LOGIN.email);

  const administer = async (address: string, body?: object) => {
    const headers = { Authorization: `Bearer ${data?.session?.access_token}`, apikey: anonKey };
    const json = { "Content-Type": "application/json", ...headers };
    const init = body ? { method: "POST", headers: json, body: JSON.stringify(body) } : { headers };
    return (await fetch(`${site.url}/admin/v1/${address}`, init)).json();
  };
  const sendForm = async (address: string, values: Record<string, string>) => {
    const init = { method: "POST", headers: { Origin: SITE_URL }, body: new URLSearchParams(values) };
    return (await fetch(`${site.url}${address}`, init)).text();
  };

  const { link } = await administer("invitation-links", { people: 2, days: 1, domains: "" });
  const answer = await sendForm(new URL(link).pathname, { email: "new@example.com" });
  expect(answer).toContain("We have sent an email to new@example.com.");
  await expect.poll(() => mail.received).toContain("Subject: Your place at Techfolio");
  const text = mail.received.join("\n").replaceAll("=\n", "").replaceAll("=3D", "=");
  const token = /token_hash=([\w-]+)&type=join/.exec(text)?.[1];
  const joined = await fetch(`${site.url}/auth/v1/join`, {
    method: "POST",
    headers: { "Content-Type": "application/json", apikey: anonKey },
    body: JSON.stringify({ token_hash: token, password: "a long password" }),
  });
  expect(joined.status).toBe(200);
  expect(await administer("invitation-links")).toMatchObject({ rows: [{ people: 2, used: 1 }] });

  const { data: article } = await service.from("articles").select("id, title").limit(1).single();
  const thanks = await sendForm(`/report/articles/${article?.id}`, { reason: "Spam" });
  expect(thanks).toContain("Thank you. The operators of this site will look at it.");
  const reported = { table: "articles", id: article?.id };
  expect(await administer("reports")).toMatchObject({ rows: [{ ...reported, count: 1 }] });
  expect(await administer("reports/dismiss", reported)).toMatchObject({
    text: `1 report about "${article?.title}" dismissed.`,
  });
});
