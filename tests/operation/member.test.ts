import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { createAdaptorServer } from "@hono/node-server";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { KINDS } from "../../common/kinds/index.ts";
import { member as memberProgram } from "../../server/cli/programs/member.ts";
import { OperatorError } from "../../server/config/operator-error.ts";
import { SITE, startTestAuth } from "../support/auth.ts";
import { createAuthenticator, registerPasskey } from "../support/authenticator.ts";
import { exampleRow } from "../support/example-rows.ts";
import { freePort } from "../support/free-port.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { ENVIRONMENT } from "../support/node.ts";
import { type Outcome, runInProcess } from "../support/operator-command.ts";
import { runHere } from "../support/run-here.ts";

const program = path.resolve(import.meta.dirname, "../../server/cli/member.ts");

const auth = await startTestAuth();
const server = createAdaptorServer({ fetch: auth.app.fetch, createServer }) as Server;
const port = await listen(server);
const dataDir = await mkdtemp(path.join(tmpdir(), "techfolio-member-"));
await writeFile(path.join(dataDir, "keys.json"), JSON.stringify(auth.keys), { mode: 0o600 });
const builtIn: Record<string, string> = { PORT: String(port), DATA_DIR: dataDir };
const hosted: Record<string, string> = {
  SUPABASE_URL: `http://127.0.0.1:${port}`,
  SUPABASE_PUBLISHABLE_KEY: auth.keys.anonKey,
  SUPABASE_SECRET_KEY: auth.keys.serviceKey,
};
afterAll(async () => {
  server.close();
  await auth.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function listen(listener: Server): Promise<number> {
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return (listener.address() as AddressInfo).port;
}

const member = (args: string[], settings = builtIn) => runInProcess("member", args, settings);

/** Runs the program as a child process with the given standard input. */
async function run(args: string[], settings = builtIn, input = "") {
  const child = spawn(process.execPath, [program, ...args], {
    // A folder outside the repository, so that the program does not read a developer's `.env`.
    cwd: tmpdir(),
    env: { ...ENVIRONMENT, ...settings },
  });
  child.stdin.on("error", () => undefined).end(input);
  const ended = once(child, "close");
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: (await ended)[0], output, errors };
}

function canSignIn(email: string, password: string): Promise<boolean> {
  const signedIn = auth.client().auth.signInWithPassword({ email, password });
  return signedIn.then(({ error }) => error === null);
}

let emails = 0;
function newEmail(): string {
  emails += 1;
  return `member${emails}@example.com`;
}

describe.each(["the built-in backend", "a Supabase project"])("the member command against %s", (backend) => {
  const at = () => (backend === "the built-in backend" ? builtIn : hosted);

  test("npm run member -- show counts the passkeys, and remove-passkeys removes them all", async () => {
    const account = await auth.member();
    const client = auth.client();
    await client.auth.signInWithPassword(account);
    for (let count = 0; count < 2; count += 1) await registerPasskey(client, createAuthenticator(SITE));
    const shown = async () =>
      JSON.parse((await member(["show", "--email", account.email, "--json"], at())).output);
    expect(await shown()).toMatchObject({ passkeys: 2 });
    const remove = () => member(["remove-passkeys", "--email", account.email], at());
    const { output, audited } = await remove();
    expect(output).toBe(`2 passkeys of ${account.email} can no longer sign in.\n`);
    expect(audited).toMatchObject([{ event: "member.passkeys_removed", id: account.id, count: 2 }]);
    expect(await shown()).toMatchObject({ passkeys: 0 });
    expect((await remove()).output).toBe(`${account.email} has no passkeys.\n`);
  });

  test("npm run member -- add creates a member with a username and a full name, who can sign in", async () => {
    const email = newEmail();
    const args = [
      "add",
      "--email",
      email,
      "--password",
      "a good one",
      "--username",
      "ada",
      "--full-name",
      "Ada L.",
    ];
    const { output, audited } = await member(args, at());
    expect(output).toBe(`${email} is now a member.\n`);
    expect(audited).toMatchObject([{ event: "member.added", email }]);
    expect(await canSignIn(email, "a good one")).toBe(true);
    const profiles = auth.service.from("profiles").select("username, full_name");
    const { data } = await profiles.eq("username", "ada").limit(1).single();
    expect(data).toEqual({ username: "ada", full_name: "Ada L." });
    await auth.service.from("profiles").update({ username: null }).eq("username", "ada");
  });

  test("npm run member -- list shows every member", async () => {
    const account = await auth.member();
    await canSignIn(account.email, account.password);
    const { output } = await member(["list"], at());
    const today = new Date().toISOString().slice(0, 10);
    const none = KINDS.map(() => "0").join("\t");
    expect(output).toContain(`${account.email}\t\t${none}\t${today}\tactive\n`);
    const { rows } = await auth.admin.query("select count(*)::int as count from auth.users");
    const [header, ...lines] = output.trimEnd().split("\n");
    const tables = KINDS.map(({ table }) => table).join("\t");
    expect(header).toBe(`email\tname\t${tables}\tlast sign-in\tstate`);
    expect(lines).toHaveLength(rows[0].count);
  });

  test("npm run member -- list shows the ways to sign in if a member signs in at a provider", async () => {
    const [provided, usual] = [await auth.member(), await auth.member()];
    const setProviders = (providers: string[]) =>
      auth.admin.query(
        `update auth.users set raw_app_meta_data = raw_app_meta_data || jsonb_build_object('providers', $2::text[])
         where id = $1`,
        [provided.id, providers],
      );
    await setProviders(["email", "oidc"]);
    const [header, ...lines] = (await member(["list"], at())).output.trimEnd().split("\n");
    expect(header).toBe(
      `email\tname\t${KINDS.map(({ table }) => table).join("\t")}\tlast sign-in\tsigns in with\tstate`,
    );
    const none = KINDS.map(() => "0").join("\t");
    expect(lines).toContain(`${provided.email}\t\t${none}\tnever\tpassword, oidc\tactive`);
    expect(lines).toContain(`${usual.email}\t\t${none}\tnever\tpassword\tactive`);
    await setProviders(["email"]);
  });

  test("npm run member -- list --search finds members by name and email address, in any letter case, but not by skill or state", async () => {
    const { id, email } = await auth.member();
    const skill = { profile_id: id, name: "Zymurgy", category: "tools" };
    await auth.service.from("profiles").update({ full_name: "Ada Byron" }).eq("id", id).throwOnError();
    await auth.service.from("skills").insert(skill).throwOnError();
    const list = async (text: string) => (await member(["list", "--search", text], at())).output;
    for (const text of ["BYRON ada", email.toUpperCase(), id])
      expect(await list(text)).toMatch(new RegExp(`\\n${email}\tAda Byron\t.*\n$`));
    for (const text of ["zymurgy", "byron zymurgy", "active"])
      expect(await list(text)).toBe("No member matches the search.\n");
    await auth.service.from("profiles").update({ full_name: null }).eq("id", id).throwOnError();
  });

  test("npm run member -- list --state lists only members in that state", async () => {
    const emails = [newEmail(), newEmail(), newEmail()];
    const [active = "", suspended = "", invited = ""] = emails;
    for (const email of [active, suspended]) {
      await member(["add", "--email", email, "--password", "a good one"], at());
    }
    await member(["suspend", "--email", suspended], at());
    await member(["invite", "--email", invited], at());
    const listed = async (state: string) => {
      const members = JSON.parse((await member(["list", "--json", "--state", state], at())).output);
      return members
        .map(({ email }: { email: string }) => email)
        .filter((email: string) => emails.includes(email));
    };
    expect(await listed("active")).toEqual([active]);
    expect(await listed("suspended")).toEqual([suspended]);
    expect(await listed("invited")).toEqual([invited]);
    expect(await listed("operator")).toEqual([]);
    const { audited } = await member(["retire", "--email", active], at());
    expect(audited).toMatchObject([{ event: "member.retired", email: active }]);
    expect((await member(["retire", "--email", active], at())).audited).toEqual([]);
    expect(await canSignIn(active, "a good one")).toBe(false);
    expect(await listed("former")).toEqual([active]);
    expect(await listed("suspended")).toEqual([suspended]);
    await expect(member(["unsuspend", "--email", active], at())).rejects.toThrow("use unretire");
    await member(["unretire", "--email", active], at());
    expect(await canSignIn(active, "a good one")).toBe(true);
    expect(await listed("active")).toEqual([active]);
  });

  test("npm run member -- list --limit and --after read the list page by page, and members with the same date appear once", async () => {
    for (let count = 0; count < 5; count += 1) await auth.member();
    await auth.admin.query("update auth.users set created_at = date_trunc('day', created_at)");
    const ids = async (...args: string[]) => {
      const { output } = await member(["list", "--json", ...args], at());
      return JSON.parse(output).map(({ id }: { id: string }) => id);
    };
    const all = await ids();
    const paged = [];
    let page = await ids("--limit", "2");
    while (page.length > 0) {
      paged.push(...page);
      page = await ids("--limit", "2", "--after", page.at(-1));
    }
    expect(paged).toEqual(all);
    await expect(member(["list", "--after", crypto.randomUUID()], at())).rejects.toThrow(
      "There is no member with the ID",
    );
  });

  test("npm run member -- show prints one member with their counts and pictures", async () => {
    const { id, email } = await auth.member();
    for (const kind of KINDS) await auth.service.from(kind.table).insert(exampleRow(kind, id)).throwOnError();
    const { output } = await member(["show", "--email", email], at());
    for (const line of [
      `id: ${id}`,
      `email: ${email}`,
      ...KINDS.map(({ table }) => `${table}: 1`),
      "pictures: 0",
      "state: active",
      "providers: password",
    ])
      expect(output.split("\n")).toContain(line);
  });

  test("npm run member -- promote makes a member an operator, and demote makes them an ordinary member, unless they are the last operator", async () => {
    const [one, two] = [await auth.member(), await auth.member()];
    const role = async ({ id }: { id: string }) =>
      (await auth.service.auth.admin.getUserById(id)).data.user?.app_metadata["role"];
    const promoted = await member(["promote", "--email", one.email], at());
    expect(promoted.audited).toMatchObject([{ event: "member.promoted", email: one.email }]);
    expect(await role(one)).toBe("operator");
    expect((await member(["promote", "--email", one.email], at())).audited).toEqual([]);
    const refusals = ["demote", "suspend", "retire", "remove"].map((name) => [name, "--email", one.email]);
    for (const args of refusals) {
      await expect(member(args, at())).rejects.toThrow(`${one.email} is the last operator of this site`);
    }
    expect(await role(one)).toBe("operator");
    expect(await canSignIn(one.email, one.password)).toBe(true);
    await member(["promote", "--email", two.email], at());
    expect((await member(["list", "--state", "operator"], at())).output).toContain("active (operator)");
    await member(["suspend", "--email", two.email], at());
    await expect(member(["demote", "--email", one.email], at())).rejects.toThrow("last operator");
    await member(["unsuspend", "--email", two.email], at());
    const outcomes = await Promise.allSettled(
      [one, two].map(({ email }) => member(["demote", "--email", email], at())),
    );
    expect(outcomes.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
    expect((await Promise.all([one, two].map(role))).filter(Boolean).length).toBeGreaterThan(0);
    await auth.admin.query("update auth.users set raw_app_meta_data = raw_app_meta_data - 'role'");
  });

  test("npm run member -- feature and unfeature set whether the home page shows a member", async () => {
    const { id, email } = await auth.member();
    const featured = async () =>
      (await auth.service.from("profiles").select("featured").eq("id", id).single()).data?.featured;
    expect((await member(["feature", "--email", email], at())).audited).toMatchObject([
      { event: "member.featured", id },
    ]);
    expect(await featured()).toBe(true);
    await member(["unfeature", "--email", email], at());
    expect(await featured()).toBe(false);
  });

  test("npm run member -- invite without --email invites the members on standard input, and a line that fails doesn't stop the rest", async () => {
    const taken = await auth.member();
    const [plain, named, spreadsheet] = [newEmail(), newEmail(), newEmail()];
    const lines = [
      plain,
      "",
      taken.email,
      `Line One of ${backend} <${named}>`,
      "not an address",
      `"Two, Line of ${backend}",${spreadsheet}`,
    ];
    const outcome: Outcome = { output: "", audited: [] };
    const invitation = runInProcess("member", ["invite"], at(), outcome, lines.join("\r\n"));
    await expect(invitation).rejects.toThrow(new OperatorError("2 of 5 lines failed."));
    const results = outcome.output.trimEnd().split("\n");
    expect(results).toHaveLength(5);
    expect(results[1]).toBe(
      `${taken.email}: There is already a member with this email address: use another one.`,
    );
    expect(results[3]).toBe('not an address: "not an address" is not an email address.');
    for (const index of [0, 2, 4]) expect(results[index]).toContain("token_hash=");
    const names = [`Line One of ${backend}`, `Two, Line of ${backend}`];
    const profiles = await auth.service.from("profiles").select("full_name").in("full_name", names);
    expect(profiles.data).toHaveLength(2);
  });

  test("npm run member -- add without --email gives each member on standard input a password of their own", async () => {
    const emails = [newEmail(), newEmail()];
    const { output } = await runInProcess("member", ["add"], at(), undefined, emails.join("\n"));
    const lines = output.trimEnd().split("\n");
    expect(new Set(lines.map((line) => line.split(" ").at(-1))).size).toBe(2);
    for (const [index, email] of emails.entries()) {
      expect(await canSignIn(email, lines[index]?.split(" ").at(-1) ?? "")).toBe(true);
    }
  });

  test("npm run member -- password replaces the password", async () => {
    const account = await auth.member();
    const args = ["password", "--email", account.email.toUpperCase(), "--password", "brand new"];
    const { audited } = await member(args, at());
    expect(audited).toMatchObject([{ event: "member.password_set", id: account.id }]);
    expect(await canSignIn(account.email, account.password)).toBe(false);
    expect(await canSignIn(account.email, "brand new")).toBe(true);
  });

  test("npm run member -- remove deletes the account", async () => {
    const account = await auth.member();
    const { audited } = await member(["remove", "--email", account.email], at());
    expect(audited).toMatchObject([{ event: "member.removed", id: account.id, email: account.email }]);
    expect((await auth.service.auth.admin.getUserById(account.id)).error?.status).toBe(404);
  });

  test("npm run member -- invite prints a link that signs the new member in", async () => {
    const email = newEmail();
    const site = { SITE_URL: "https://techfolio.example" };
    const { output, audited } = await member(["invite", "--email", email], { ...at(), ...site });
    expect(audited).toMatchObject([{ event: "member.invited", email }]);
    const link = new URL(output);
    expect(link.origin + link.pathname).toBe("https://techfolio.example/profile");
    const client = auth.client();
    const { data, error } = await client.auth.verifyOtp({
      type: link.searchParams.get("type") as "invite",
      token_hash: link.searchParams.get("token_hash") ?? "",
    });
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
  });
});

// A child process, because the program reads its standard input.
test("npm run member -- add reads the password from the first line of standard input, and trims and lowercases the email address", async () => {
  const email = newEmail();
  const args = ["add", "--email", ` ${email.toUpperCase()} `];
  const result = await run(args, builtIn, "typed, quietly\nmore\n");
  expect(result).toMatchObject({ code: 0, output: `${email} is now a member.\n` });
  expect(JSON.parse(result.errors)).toMatchObject({ event: "member.added", email });
  expect(await canSignIn(email, "typed, quietly")).toBe(true);
});

describe("npm run member -- invite with a mail server", () => {
  const settings = ({ smtp }: MailServer) => ({
    ...builtIn,
    SMTP_HOST: smtp.host,
    SMTP_PORT: String(smtp.port),
    SMTP_FROM: smtp.from,
  });

  test("npm run member -- invite emails the link", async () => {
    const mailServer = await startMailServer();
    const email = newEmail();
    const result = await member(["invite", "--email", email], settings(mailServer));
    expect(result.output).toBe(`The invitation was sent to ${email}.\n`);
    expect(mailServer.received).toContain(`RCPT TO:<${email}>`);
    expect(mailServer.received.join("\n")).toContain("token_hash=");
  });

  test("npm run member -- invite fails if the mail server rejects the email, and its error contains the link", async () => {
    const mailServer = await startMailServer("RCPT");
    const email = newEmail();
    const outcome: Outcome = { output: "", audited: [] };
    const invitation = runInProcess("member", ["invite", "--email", email], settings(mailServer), outcome);
    await expect(invitation).rejects.toThrow(/^The mail server rejected[^\n]+token_hash=\S+$/);
    expect(outcome).toMatchObject({ output: "", audited: [{ event: "member.invited", email }] });
  });
});

describe("errors of the member command", () => {
  /** Runs a command that must fail without output, and returns its error message. */
  async function refusal(args: string[], settings = builtIn): Promise<string> {
    const outcome: Outcome = { output: "", audited: [] };
    const error: unknown = await runInProcess("member", args, settings, outcome).catch((reason) => reason);
    expect(outcome).toEqual({ output: "", audited: [] });
    if (!(error instanceof OperatorError)) throw error;
    return error.message;
  }

  async function printedError(args: string[], settings = builtIn): Promise<string> {
    const { code, stdout, stderr } = await runHere(memberProgram, args, settings);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^[^\n]+\n$/);
    return `${code} ${stderr.trimEnd()}`;
  }

  test("adding or inviting a member with a taken email address fails", async () => {
    const { email } = await auth.member();
    expect(await refusal(["add", "--email", email, "--password", "whatever"])).toBe(
      "There is already a member with this email address: use another one.",
    );
    expect(await refusal(["invite", "--email", email])).toContain("already a member");
  });

  test("a member command with an invalid or unknown email address fails", async () => {
    expect(await refusal(["add", "--email", "x", "--password", "whatever"])).toContain("email address");
    for (const args of [["remove"], ["password", "--password", "whatever"]]) {
      expect(await refusal([...args, "--email", "nobody@example.com"])).toBe(
        "There is no member with the email address nobody@example.com: npm run member -- list shows all members.",
      );
    }
  });

  test("npm run member -- add fails if the password is too short, too long or missing", async () => {
    const add = ["add", "--email", "never@example.com"];
    expect(await refusal([...add, "--password", "short"])).toContain("at least 6 characters");
    expect(await refusal([...add, "--password", "x".repeat(73)])).toContain("longer than 72 bytes");
    const { code, output, errors } = await run(add);
    expect([code, output]).toEqual([1, ""]);
    expect(errors).toMatch(/^No password was given: set --password[^\n]+\n$/);
  });

  test("a member command fails if no server responds", async () => {
    const port = String(await freePort());
    const noServer = `No server responds at http://127.0.0.1:${port}: `;
    expect(await refusal(["list"], { ...builtIn, PORT: port })).toBe(
      `${noServer}start the site with npm start, or set PORT and HOST to the site's values.`,
    );
    expect(await refusal(["list"], { ...hosted, SUPABASE_URL: `http://127.0.0.1:${port}` })).toBe(
      `${noServer}check SUPABASE_URL and the network.`,
    );
  });

  test("a member command fails if another web site responds", async () => {
    const other = createServer((request, response) => {
      response.statusCode = request.method === "GET" ? 200 : 404;
      response.end("<!doctype html><title>Something else</title>");
    });
    onTestFinished(() => void other.close());
    const settings = { ...builtIn, PORT: String(await listen(other)) };
    expect(await refusal(["list"], settings)).toContain("a Techfolio site");
    const add = ["add", "--email", "never@example.com", "--password", "whatever"];
    expect(await printedError(add, settings)).toContain("a Techfolio site");
  });

  test("a member command with a wrong or missing key fails", async () => {
    const wrong = { PORT: String(builtIn["PORT"]), AUTH_JWT_SECRET: "x".repeat(40) };
    expect(await refusal(["list"], wrong)).toContain(
      "does not accept the key: set DATA_DIR or AUTH_JWT_SECRET to the site's value.",
    );
    const publicKey = { ...hosted, SUPABASE_SECRET_KEY: auth.keys.anonKey };
    expect(await refusal(["list"], publicKey)).toContain("set SUPABASE_SECRET_KEY to the secret key");
    const { SUPABASE_SECRET_KEY: _, ...none } = hosted;
    expect(await printedError(["list"], none)).toContain("SUPABASE_SECRET_KEY is missing");
    const empty = path.join(dataDir, "not-there");
    expect(await printedError(["list"], { ...builtIn, DATA_DIR: empty })).toContain("There are no keys in");
    await expect(stat(empty)).rejects.toThrow("ENOENT");
  });

  test("a member command with an invalid setting fails with one line", async () => {
    expect(await printedError(["list"], { ...builtIn, PORT: "many" })).toMatch(/^1 PORT must be/);
  });

  test("a member command with an unknown option exits with code 2 and points to the help", async () => {
    expect(await printedError(["list", "--all"])).toMatch(/^2 .*--help$/);
  });
});

test.each([
  ["its own backend", builtIn],
  ["a Supabase project", hosted],
])("on a site with %s, commands make, list and close an invitation link", async (_, settings) => {
  const make = ["invite-link", "--people", "3", "--days", "2", "--domains", "example.com,Example.ORG"];
  const made = await runHere(memberProgram, make, settings);
  expect(made.code).toBe(0);
  expect(made.stdout).toMatch(/^https?:\/\/\S+\/join\/[\w-]{43}\n$/);
  const code = made.stdout.trim().split("/join/")[1] ?? "";
  const list = await runHere(memberProgram, ["invite-links"], settings);
  expect(list.stdout).toMatch(
    /^ID\tjoined\tlast day\tdomains\n[0-9a-f-]{36}\t0 of 3\t\d{4}-\d\d-\d\d\texample.com, example.org\n$/,
  );
  expect(list.stdout).not.toContain(code);
  const [{ id }] = JSON.parse((await runHere(memberProgram, ["invite-links", "--json"], settings)).stdout);
  expect((await runHere(memberProgram, ["close-link", id], settings)).code).toBe(0);
  expect((await runHere(memberProgram, ["close-link", id], settings)).code).toBe(1);
  expect((await runHere(memberProgram, ["close-link", "x"], settings)).code).toBe(2);
  expect((await runHere(memberProgram, ["invite-link", "--people", "3"], settings)).code).toBe(2);
  expect((await runHere(memberProgram, ["invite-link", "--people", "0", "--days", "1"], settings)).code).toBe(
    1,
  );
  expect((await runHere(memberProgram, ["invite-links"], settings)).stdout).toBe(
    "There is no open invitation link.\n",
  );
});

test("npm run member -- --help lists every command", async () => {
  const { code, stdout, stderr } = await runHere(memberProgram, ["--help"], builtIn);
  expect([code, stderr]).toEqual([0, ""]);
  for (const command of ["add", "invite", "list", "password", "remove", "suspend", "unsuspend"])
    expect(stdout).toContain(command);
});
