import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { afterAll, expect, test } from "vitest";
import { KINDS, type KindTable, kindSlug } from "../../common/kinds/index.ts";
import { PUBLIC_PATH } from "../../common/pictures/picture-path.ts";
import { content } from "../../server/cli/programs/content.ts";
import { OperatorError } from "../../server/config/operator-error.ts";
import { type Account, startTestAuth } from "../support/auth.ts";
import { runServerProgram } from "../support/command.ts";
import { EACH_KIND, exampleRow } from "../support/example-rows.ts";
import { freePort } from "../support/free-port.ts";
import { type ProgramName, runInProcess } from "../support/operator-command.ts";
import { makePng, pathOf } from "../support/pictures.ts";
import { runHere } from "../support/run-here.ts";

type Backend = "the embedded database" | "DATABASE_URL" | "SUPABASE_URL";

const auth = await startTestAuth();
const port = await freePort();
const server = createAdaptorServer({ fetch: auth.app.fetch, createServer }) as Server;
await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
const dataDir = await mkdtemp(path.join(tmpdir(), "techfolio-moderation-"));
await writeFile(path.join(dataDir, "keys.json"), JSON.stringify(auth.keys), { mode: 0o600 });
const PORT = String(port);
const backends = {
  "the embedded database": { PORT, DATA_DIR: dataDir },
  DATABASE_URL: { PORT, DATABASE_URL: "postgres://x@127.0.0.1:1/x", AUTH_JWT_SECRET: auth.keys.jwtSecret },
  SUPABASE_URL: {
    SUPABASE_URL: `http://127.0.0.1:${port}`,
    SUPABASE_PUBLISHABLE_KEY: auth.keys.anonKey,
    SUPABASE_SECRET_KEY: auth.keys.serviceKey,
  },
};
afterAll(async () => {
  server.close();
  await auth.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const EMBEDDED = "the embedded database";
const run = (backend: Backend, args: string[]) => runHere(content, args, backends[backend]);

async function runContent(backend: Backend, args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(backend, args);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

const command = (program: ProgramName, ...args: string[]) => runInProcess(program, args, backends[EMBEDDED]);

async function listContent(...args: string[]): Promise<Record<string, unknown>[]> {
  return JSON.parse((await command("content", "list", "--json", ...args)).output);
}

interface Writer {
  account: Account;
  /** The id of the member's item in each kind's table. */
  items: Record<KindTable, string>;
}

let writers = 0;

/** Adds a member with one item of each kind. Only these items contain `word`. */
async function addWriter(word: string): Promise<Writer> {
  const account = await auth.member();
  writers += 1;
  const profile = { id: account.id, username: `writer${writers}`, full_name: `Writer ${writers}` };
  await auth.service.from("profiles").upsert(profile).throwOnError();
  const items: Record<string, string> = {};
  for (const kind of KINDS) {
    const row = exampleRow(kind, account.id, { title: `About ${word}` });
    const { data } = await auth.service.from(kind.table).insert(row).select("id").single().throwOnError();
    items[kind.table] = data.id;
  }
  return { account, items };
}

test.each<Backend>([EMBEDDED, "DATABASE_URL", "SUPABASE_URL"])(
  "on a site with %s, an operator finds, unpublishes and removes an article, and suspends its author",
  async (backend) => {
    const word = `mode-${backend.toLowerCase().replaceAll(/[^a-z]/g, "")}`;
    const {
      account,
      items: { articles: article },
    } = await addWriter(word);
    const list = ["list", "--json", "--search", word.toUpperCase(), "--type", "articles"];
    const [item] = JSON.parse(await runContent(backend, list));
    expect(item).toMatchObject({ id: article, author_id: account.id, published: true });
    for (const [program, args, event] of [
      ["content", ["unpublish", article], "article.unpublished"],
      ["content", ["remove", article], "item.removed"],
      ["member", ["suspend", "--email", account.email], "member.suspended"],
    ] as const) {
      const { audited } = await runInProcess(program, [...args], backends[backend]);
      expect(audited).toMatchObject([{ event }]);
    }
    const { error } = await auth.client().auth.signInWithPassword(account);
    expect(error?.message).toBe("This account is suspended");
    expect((await runInProcess("member", ["list"], backends[backend])).output).toMatch(
      new RegExp(
        `^${account.email}\tWriter \\d+\t0${"\t1".repeat(KINDS.length - 1)}\tnever\tsuspended$`,
        "m",
      ),
    );
  },
);

test("npm run content -- list finds items by text, author and type, and npm run content -- show prints one", async () => {
  const { account, items } = await addWriter("spam");
  await addWriter("other");
  const ids = (found: Record<string, unknown>[]) => found.map(({ id }) => id).sort();
  expect(ids(await listContent("--search", "SPAM"))).toEqual(Object.values(items).sort());
  expect(ids(await listContent("--author", account.email))).toEqual(Object.values(items).sort());
  for (const kind of KINDS) {
    const id = items[kind.table as KindTable];
    const type = kindSlug(kind);
    expect(ids(await listContent("--author", account.email, "--type", type))).toEqual([id]);
    const { output } = await command("content", "list", "--search", "About spam", "--type", type);
    expect(output).toMatch(
      new RegExp(`^${id}\t${type}\t[\\d-]{10}\t(published|-)\tWriter \\d+\tAbout spam\n$`),
    );
    const shown = await command("content", "show", id);
    expect(shown.output).toContain("title: About spam\n");
    expect(shown.output).toContain(`author_email: ${account.email}`);
  }
});

test.each(Object.keys(backends) as Backend[])(
  "on a site with %s, an operator removes a picture, and removing a member deletes their pictures",
  async (backend) => {
    const { account } = await addWriter("pictures");
    const [one, two] = [makePng(30, 20, 1), makePng(30, 20, 2)];
    const pathOfOne = pathOf(account.id, one);
    const bucket = auth.service.storage.from("pictures");
    for (const picture of [one, two]) {
      const options = { contentType: "image/png" };
      expect((await bucket.upload(pathOf(account.id, picture), picture.bytes, options)).error).toBeNull();
    }
    const list = () =>
      runInProcess("content", ["list", "--type", "pictures", "--author", account.email], backends[backend]);
    const lines = (await list()).output.trim().split("\n");
    expect(lines).toHaveLength(2);
    expect((await list()).output).toMatch(
      new RegExp(`^${pathOfOne}\tpictures\t[\\d-]{10}\t-\tWriter \\d+\t1 kB$`, "m"),
    );
    const address = `https://site.example${PUBLIC_PATH}${pathOfOne}`;
    const { audited } = await runInProcess("content", ["remove", address], backends[backend]);
    expect(audited).toMatchObject([{ event: "picture.removed", id: pathOfOne }]);
    expect((await list()).output.trim().split("\n")).toHaveLength(1);
    await expect(runInProcess("content", ["remove", pathOfOne], backends[backend])).rejects.toThrow(
      `There is no picture with the ID ${pathOfOne}: npm run content -- list --type pictures shows all pictures.`,
    );
    await runInProcess("member", ["remove", "--email", account.email], backends[backend]);
    expect((await bucket.list(account.id)).data).toEqual([]);
  },
);

test("npm run content -- list --author with a shared username lists the items of the member who has held it longest", async () => {
  const [first, second] = [await addWriter("first"), await addWriter("second")];
  for (const { account } of [second, first]) {
    await auth.service.from("profiles").update({ username: "twin" }).eq("id", account.id).throwOnError();
  }
  const articles = await listContent("--author", "twin", "--type", "articles");
  expect(articles.map(({ id }) => id)).toEqual([second.items.articles]);
});

test("an operator unpublishes and publishes an article, and its owner can publish it again", async () => {
  const {
    account,
    items: { articles: article },
  } = await addWriter("again");
  const { output, audited } = await command("content", "unpublish", article);
  expect(output).toBe('"About again" was unpublished. It is still listed on /articles.\n');
  expect(audited).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      event: "article.unpublished",
      user: process.env["SUDO_USER"] || userInfo().username,
      table: "articles",
      id: article,
    },
  ]);
  const state = async () =>
    (await auth.service.from("articles").select("published").eq("id", article).single()).data?.published;
  expect(await state()).toBe(false);
  expect((await command("content", "unpublish", article)).output).toBe("The article is not published.\n");
  expect(await command("content", "publish", article)).toMatchObject({
    output: '"About again" was published.\n',
    audited: [{ event: "article.published", id: article }],
  });
  expect(await state()).toBe(true);
  await command("content", "unpublish", article);
  const owner = auth.client();
  await owner.auth.signInWithPassword(account);
  await owner.from("articles").update({ published: true }).eq("id", article);
  expect(await state()).toBe(true);
});

test.each(EACH_KIND)("an operator removes an item of %s", async (table) => {
  const { account, items } = await addWriter("gone");
  const id = items[table as KindTable];
  const { audited } = await command("content", "remove", id);
  expect(audited).toMatchObject([{ event: "item.removed", table, id }]);
  expect(await listContent("--author", account.email)).toHaveLength(KINDS.length - 1);
  await expect(command("content", "remove", id)).rejects.toThrow(/^There is no item with the ID /);
});

test("a copy of another member's item id doesn't lead an operator to the wrong item", async () => {
  const victim = await addWriter("victim");
  const spammer = await addWriter("spammer");
  const { articles: article } = victim.items;
  await auth.service.from("useful_links").delete().eq("id", spammer.items.useful_links).throwOnError();
  const spam = {
    id: article,
    profile_id: spammer.account.id,
    title: "Spam",
    url: "https://a.test",
    category: "x",
  };
  await auth.service.from("useful_links").insert(spam).throwOnError();
  for (const name of ["show", "unpublish", "remove"]) {
    await expect(command("content", name, article)).rejects.toThrow(
      `Several items have the ID ${article}: name one of articles/${article} ("About victim"), useful-links/${article} ("Spam").`,
    );
  }
  expect((await command("content", "remove", `useful-links/${article}`)).audited).toMatchObject([
    { event: "item.removed", table: "useful_links", id: article },
  ]);
  expect((await command("content", "show", article)).output).toContain("title: About victim\n");
  await expect(command("content", "show", `sample-code/${article}`)).rejects.toThrow(
    /^There is no item with/,
  );
  for (const wrong of [`articles/${article}/x`, `nothing/${article}`, "articles/", "/"]) {
    await expect(command("content", "show", wrong)).rejects.toThrow("needs one ID");
  }
});

test.each(Object.keys(backends) as Backend[])(
  "on a site with %s, an operator removes the earlier versions of an item that its owner has already deleted",
  async (backend) => {
    const {
      account,
      items: { articles: article, useful_links: link },
    } = await addWriter("withdrawn");
    const owner = auth.client();
    await owner.auth.signInWithPassword(account);
    await owner.from("articles").update({ content: "Defamation" }).eq("id", article).throwOnError();
    for (const [table, id] of [
      ["articles", article],
      ["useful_links", link],
    ] as const) {
      await owner.from(table).delete().eq("id", id).throwOnError();
    }
    // Before, another member had an article, and this member a link, with the same id.
    const other = await addWriter("another");
    await auth.admin.query(
      `insert into public.versions (profile_id, item_table, item_id, title, item, is_deletion, size, replaced_at)
       select owner, item_table, $3, 'Kept', '{}', true, 1000, now() - interval '1 day'
       from (values ($1::uuid, 'articles'), ($2::uuid, 'useful_links')) as earlier (owner, item_table)`,
      [other.account.id, account.id, article],
    );
    const { output, audited } = await runInProcess("content", ["remove", article], backends[backend]);
    expect(output).toBe('"About withdrawn" was already deleted. Its earlier versions were removed.\n');
    expect(audited).toMatchObject([{ event: "versions.removed", table: "articles", id: article }]);
    const kept = (await owner.from("versions").select("item_id,title").order("replaced_at").throwOnError())
      .data;
    expect(kept).toEqual([
      { item_id: article, title: "Kept" },
      { item_id: link, title: expect.any(String) },
    ]);
    const left = "select profile_id from public.versions where item_id = $1";
    expect((await auth.admin.query(left, [article])).rows).toHaveLength(2);
    for (const _ of [1, 2]) await runInProcess("content", ["remove", article], backends[backend]);
    await expect(runInProcess("content", ["remove", article], backends[backend])).rejects.toThrow(
      /^There is no item with the ID /,
    );
  },
);

test("a suspended member is signed out and cannot sign in until unsuspended, but their content stays", async () => {
  const {
    account,
    items: { articles: article },
  } = await addWriter("suspended");
  const client = auth.client();
  await client.auth.signInWithPassword(account);
  const [suspension] = (await command("member", "suspend", "--email", account.email, "--for", "7d")).audited;
  expect(suspension).toMatchObject({ event: "member.suspended", id: account.id, email: account.email });
  expect(Math.round((Date.parse(suspension?.["until"] ?? "") - Date.now()) / 3_600_000)).toBe(7 * 24);
  expect((await client.from("articles").select("id")).status).toBe(401);
  const { error } = await auth.client().auth.signInWithPassword(account);
  const end = new Date(suspension?.["until"] ?? "").toLocaleDateString("en", {
    dateStyle: "long",
    timeZone: "UTC",
  });
  expect(error?.message).toBe(`This account is suspended until ${end}`);
  expect((await auth.service.from("articles").select("id").eq("id", article)).data).toHaveLength(1);

  const members = JSON.parse((await command("member", "list", "--json")).output);
  expect(members.find(({ id }: { id: string }) => id === account.id)).toMatchObject({
    email: account.email,
    name: expect.stringMatching(/^Writer \d+$/),
    articles: 1,
    useful_links: 1,
    code_samples: 1,
    last_sign_in_at: expect.any(String),
    state: "suspended",
  });

  const back = await command("member", "unsuspend", "--email", account.email);
  expect(back.output).toBe(`${account.email} can sign in again.\n`);
  expect(back.audited).toMatchObject([{ event: "member.unsuspended", id: account.id }]);
  expect((await auth.client().auth.signInWithPassword(account)).error).toBeNull();
});

test("a suspension of 99,999 weeks is accepted", async () => {
  const account = await auth.member();
  const { output } = await command("member", "suspend", "--email", account.email, "--for", "99999w");
  expect(output).toMatch(new RegExp(`^${account.email} is suspended until \\d{4}-`));
});

test("a suspension without --for still applies after ten years", async () => {
  const account = await auth.member();
  const { output } = await command("member", "suspend", "--email", account.email);
  expect(output).toBe(`${account.email} is suspended.\n`);
  await auth.advance(3650 * 24 * 3_600_000);
  const { error } = await auth.client().auth.signInWithPassword(account);
  await auth.advance(-3650 * 24 * 3_600_000);
  expect(error?.code).toBe("user_banned");
});

test("npm run content -- list --search treats wildcards, quotes and filter syntax as plain text", async () => {
  const account = await auth.member();
  const titles = ['100%_"\\', "100 percent", "a,b)(or=1"];
  for (const title of titles) {
    const row = { author_id: account.id, title, content: "x" };
    await auth.service.from("articles").insert(row).throwOnError();
  }
  for (const title of titles) {
    expect((await listContent("--search", title)).map((item) => item["title"])).toEqual([title]);
  }
});

test("npm run content -- list prints, and npm run member -- list counts, 1,100 items even though a response contains at most 1,000 rows", async () => {
  const account = await auth.member();
  const rows = Array.from({ length: 1_100 }, (_, index) => ({
    profile_id: account.id,
    title: `L${index}`,
    url: "/",
    category: "C",
  }));
  await auth.service.from("useful_links").insert(rows).throwOnError();
  expect(await listContent("--author", account.email)).toHaveLength(1_100);
  const line = (await command("member", "list")).output
    .split("\n")
    .find((text) => text.includes(account.email));
  expect(line?.split("\t").slice(2, 5)).toEqual(["0", "1100", "0"]);
});

test("npm run content -- list prints 3,001 items, although their titles exceed the limit of one response", async () => {
  const { account } = await addWriter("bulk");
  // No triggers slow the insertion down.
  await auth.admin.query(
    `begin;
     set local session_replication_role = replica;
     insert into public.code_samples (profile_id, title, language, code_content)
       select '${account.id}', repeat('€', 1000), 'sql', 'select 1' from generate_series(1, 3000);
     commit`,
  );
  expect(await listContent("--author", account.id, "--type", "sample-code")).toHaveLength(3_001);
});

test("control characters in members' text do not reach the operator's terminal", async () => {
  const account = await auth.member();
  const title = "Red \u001b[31m title\u202e\nsecond\tline";
  const row = { author_id: account.id, title, content: "one\u001b]0;x\u0007\ntwo" };
  const inserted = await auth.service.from("articles").insert(row).select("id").single().throwOnError();
  const { output: list } = await command("content", "list", "--author", account.email);
  expect(list).toContain("Red  [31m title  second line\n");
  expect(list.split("\n")).toHaveLength(2);
  const { output: shown } = await command("content", "show", inserted.data.id);
  expect(shown).toContain("\none ]0;x \ntwo\n");
});

test("an operator cannot unpublish a link", async () => {
  const { items } = await addWriter("link");
  await expect(command("content", "unpublish", items.useful_links)).rejects.toThrow(
    new OperatorError("Only articles can be unpublished: use remove for other items."),
  );
});

test("a content command with invalid arguments prints one line and exits with code 2", async () => {
  const { code, stdout, stderr } = await run(EMBEDDED, ["show", "1"]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^[^\n]+npm run content -- --help\n$/);
});

test.each([
  ["content", ["list", "--type", "constructor"], "--type must be one of articles, "],
  [
    "member",
    ["suspend", "--email", "a@example.com", "--for", "7"],
    "--for must be a number with m, h, d or w",
  ],
] as const)(
  "the %s command rejects an invalid option value before it contacts the site",
  async (program, args, reason) => {
    const nowhere = { ...backends[EMBEDDED], PORT: String(await freePort()) };
    const refusal = expect.objectContaining({ name: "UsageError", message: expect.stringContaining(reason) });
    await expect(runInProcess(program, [...args], nowhere)).rejects.toEqual(refusal);
  },
);

test("a content command against a stopped site prints one line and exits with code 1", async () => {
  const settings = { ...backends[EMBEDDED], PORT: String(await freePort()) };
  const { code, stdout, stderr } = await runServerProgram("server/cli/content.ts", ["list"], settings);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^No server responds at [^\n]+: start the site with npm start[^\n]+\n$/);
});

test("npm run content -- --help lists every command and the options --author and --json", async () => {
  const text = await runContent(EMBEDDED, ["--help"]);
  for (const command of ["list", "show", "unpublish", "remove", "--author", "--json"])
    expect(text).toContain(command);
});
