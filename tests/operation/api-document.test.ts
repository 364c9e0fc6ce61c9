// Runs the unmodified programs from docs/api.md, and compares its tables with the site.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newClusterDir } from "../support/cluster.ts";
import { runCommand } from "../support/command.ts";
import { readKeys } from "../support/data-dir.ts";
import { createCommunity, type Member } from "../support/members.ts";
import { ROOT } from "../support/node.ts";
import { startShared } from "../support/process.ts";

const text = await readFile(path.join(ROOT, "docs/api.md"), "utf8");
const programs = Object.fromEntries(
  [...text.matchAll(/^```(python|js|sh)\n(.*?)^```$/gms)].map(([, language = "", program = ""]) => [
    language,
    program,
  ]),
);

const isMissing = (command: string) =>
  runCommand(command, ["--version"]).then(
    ({ code }) => code !== 0,
    () => true,
  );
const [lacksPython, lacksCurl] = await Promise.all(["python3", "curl"].map(isMissing));

const dataDir = await newClusterDir();
const site = await startShared({ DATA_DIR: dataDir, SEED: "none" });
const server = { url: site.url, dataDir, keys: await readKeys(dataDir) };
const community = createCommunity(server);
const folder = await mkdtemp(path.join(tmpdir(), "api-document-"));
afterAll(async () => {
  await site.stop();
  for (const temporary of [dataDir, folder]) await rm(temporary, { recursive: true });
});

let ada: Member;
beforeAll(async () => {
  ada = await community.addMember({ username: "ada", full_name: "Ada Lovelace" });
});

async function save(file: string, content: string): Promise<string> {
  const address = path.join(folder, file);
  await mkdir(path.dirname(address), { recursive: true });
  await writeFile(address, content);
  return address;
}

function run(command: string, ...args: string[]) {
  return runCommand(command, args, {
    TECHFOLIO_URL: server.url,
    TECHFOLIO_KEY: server.keys.anonKey,
    TECHFOLIO_EMAIL: ada.email,
    TECHFOLIO_PASSWORD: ada.password,
  });
}

const articlesOf = async (member: Member) =>
  (
    await community.admin
      .from("articles")
      .select("id, title, content, published")
      .eq("author_id", member.id)
      .order("title")
      .throwOnError()
  ).data;

test("the document has one program for each of Python, JavaScript and curl", () => {
  expect(Object.keys(programs).sort()).toEqual(["js", "python", "sh"]);
});

test.skipIf(lacksPython)(
  "the Python program publishes a folder of Markdown files, and updates them when it runs again (needs python3)",
  async () => {
    const program = await save("publish.py", programs["python"] ?? "");
    await save("notes/first.md", '# Größe & "quotes"\n\nThe *first* text. 😀\n');
    await save("notes/second.md", "No heading.\n");
    await save("notes/other.txt", "# Not Markdown\n");
    const notes = path.join(folder, "notes");
    const published = await run("python3", program, notes);
    expect(published).toMatchObject({ code: 0, stderr: "" });
    const articles = await articlesOf(ada);
    expect(articles).toMatchObject([
      { title: 'Größe & "quotes"', content: "The *first* text. 😀", published: true },
      { title: "second", content: "No heading.\n", published: true },
    ]);
    for (const { id } of articles) expect(published.stdout).toContain(`${server.url}/articles/${id}`);
    const [address = ""] = /http\S+/.exec(published.stdout) ?? [];
    expect((await fetch(address)).status).toBe(200);

    await save("notes/second.md", "# Second\n\nNow with a heading.\n");
    expect(await run("python3", program, notes)).toMatchObject({ code: 0, stderr: "" });
    const updated = await articlesOf(ada);
    expect(updated.map(({ id }) => id).sort()).toEqual(articles.map(({ id }) => id).sort());
    expect(updated.map(({ title }) => title)).toContain("Second");
  },
);

test.skipIf(lacksPython)(
  "the Python program ends with the server's error after a wrong password (needs python3)",
  async () => {
    const program = await save("publish.py", programs["python"] ?? "");
    const failed = await runCommand("python3", [program, folder], {
      TECHFOLIO_URL: server.url,
      TECHFOLIO_KEY: server.keys.anonKey,
      TECHFOLIO_EMAIL: ada.email,
      TECHFOLIO_PASSWORD: "wrong password",
    });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("Invalid login credentials");
  },
);

test("the JavaScript program prints a person's published articles, and searches them", async () => {
  const grace = await community.addMember({ username: "grace", full_name: "Grace Hopper" });
  for (const title of ["Compilers", "Nanoseconds"]) {
    await community.add("articles", { author_id: grace.id, title, content: "Text", published: true });
  }
  await community.add("articles", {
    author_id: grace.id,
    title: "Unfinished",
    content: "Text",
    published: false,
  });
  const program = await save("articles.mjs", programs["js"] ?? "");
  await symlink(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  const all = await run(process.execPath, program, "grace");
  expect(all).toMatchObject({ code: 0, stderr: "" });
  expect(all.stdout).toContain("Grace Hopper has published 2 articles.");
  expect(all.stdout).toMatch(/Nanoseconds: http\S+\/articles\/[0-9a-f-]{36}/);
  expect(all.stdout).not.toContain("Unfinished");
  const found = await run(process.execPath, program, "grace", "compilers");
  expect(found.stdout).toContain("Compilers: ");
  expect(found.stdout).not.toContain("Nanoseconds");
});

test.skipIf(lacksCurl)("the curl program adds a link, reads it and deletes it (needs curl)", async () => {
  const program = await save("links.sh", programs["sh"] ?? "");
  for (const _attempt of ["first", "second"]) {
    const { code, stdout, stderr } = await run("sh", program);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [added = "", read = "", last] = stdout.trim().split("\n");
    expect(JSON.parse(added)).toMatchObject([{ title: "PostgreSQL" }]);
    expect(JSON.parse(read)).toEqual([{ title: "PostgreSQL", url: "https://www.postgresql.org/" }]);
    expect(last).toBe("deleted");
  }
  const left = await community.admin.from("useful_links").select().eq("profile_id", ada.id).throwOnError();
  expect(left.data).toEqual([]);
});

test("the document names exactly the functions that visitors can call, with all their arguments", async () => {
  const response = await fetch(`${server.url}/rest/v1/`, { headers: { apikey: server.keys.anonKey } });
  const {
    paths,
  }: { paths: Record<string, { post?: { parameters: { schema?: { properties: object } }[] } }> } =
    await response.json();
  const called = Object.entries(paths).filter(([name]) => name.startsWith("/rpc/"));
  const rows = new Map(
    [...text.matchAll(/^\| `(search_\w+|find_item)` \| (.+) \|$/gm)].map(([, name, row]) => [name, row]),
  );
  expect([...rows.keys()].sort()).toEqual(called.map(([name]) => name.replace("/rpc/", "")).sort());
  for (const [name, { post }] of called) {
    const row = rows.get(name.replace("/rpc/", "")) ?? "";
    const names = Object.keys(post?.parameters[0]?.schema?.properties ?? {});
    expect(names.filter((argument) => !row.includes(`\`${argument}\``))).toEqual([]);
  }
});

test("llms.txt names the API's URL and a public key that the API accepts", async () => {
  const page = await (await fetch(`${server.url}/llms.txt`)).text();
  const [, url] = /^- URL: `(.+)`$/m.exec(page) ?? [];
  const [, key = ""] = /^- Public key .*: `(.+)`$/m.exec(page) ?? [];
  expect(url).toBe(server.url);
  expect((await fetch(`${url}/rest/v1/articles`, { headers: { apikey: key } })).status).toBe(200);
});
