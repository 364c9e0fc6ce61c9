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
import { OperatorError } from "../../server/config/operator-error.ts";
import { startTestAuth } from "../support/auth.ts";
import { freePort } from "../support/free-port.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { ENVIRONMENT } from "../support/node.ts";
import { type Outcome, runInProcess } from "../support/operator-command.ts";

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

  test("npm run member -- add reads the password from the first line of standard input, and trims and lowercases the email address", async () => {
    const email = newEmail();
    const result = await run(["add", "--email", ` ${email.toUpperCase()} `], at(), "typed, quietly\nmore\n");
    expect(result).toMatchObject({ code: 0, output: `${email} is now a member.\n` });
    expect(JSON.parse(result.errors)).toMatchObject({ event: "member.added", email });
    expect(await canSignIn(email, "typed, quietly")).toBe(true);
  });

  test("npm run member -- list shows every member", async () => {
    const account = await auth.member();
    await canSignIn(account.email, account.password);
    const { output } = await member(["list"], at());
    const today = new Date().toISOString().slice(0, 10);
    expect(output).toContain(`${account.email}\t\t0\t0\t0\t${today}\tactive\n`);
    const { rows } = await auth.admin.query("select count(*)::int as count from auth.users");
    expect(output.trimEnd().split("\n")).toHaveLength(rows[0].count);
  });

  test("npm run member -- list --search finds members by name and skill, in any letter case", async () => {
    const { id, email } = await auth.member();
    const skill = { profile_id: id, name: "Zymurgy", category: "tools" };
    await auth.service.from("profiles").update({ full_name: "Ada Byron" }).eq("id", id).throwOnError();
    await auth.service.from("skills").insert(skill).throwOnError();
    const list = async (text: string) => (await member(["list", "--search", text], at())).output;
    expect(await list("ZYMURGY byron")).toMatch(new RegExp(`^${email}\tAda Byron\t.*\n$`));
    expect(await list("zymurgy nobody")).toBe("No member matches the search.\n");
    await auth.service.from("profiles").update({ full_name: null }).eq("id", id).throwOnError();
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
    const { code, output, errors } = await run(["invite", "--email", newEmail()], settings(mailServer));
    expect([code, output]).toEqual([1, ""]);
    expect(errors).toMatch(/\nThe mail server rejected[^\n]+token_hash=\S+\n$/);
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
    const { code, output, errors } = await run(args, settings);
    expect(output).toBe("");
    expect(errors).toMatch(/^[^\n]+\n$/);
    return `${code} ${errors.trimEnd()}`;
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
    expect(await printedError(add)).toContain("No password was given: set --password");
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

test("npm run member -- --help lists every command", async () => {
  const { code, output, errors } = await run(["--help"]);
  expect([code, errors]).toEqual([0, ""]);
  for (const command of ["add", "invite", "list", "password", "remove", "suspend", "unsuspend"])
    expect(output).toContain(command);
});
