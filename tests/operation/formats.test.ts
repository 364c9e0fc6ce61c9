import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createAdaptorServer } from "@hono/node-server";
import { validate } from "@jsonresume/schema";
import ICAL from "ical.js";
import { afterAll, expect, test } from "vitest";
import { readFrontMatter } from "../../app/import/article/front-matter.ts";
import { itemPath } from "../../common/data/addresses.ts";
import { articles } from "../../common/kinds/articles.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { sampleCode } from "../../common/kinds/sample-code.ts";
import { HOSTILE_TEXT } from "../support/hostile-text.ts";
import { SITE, startTestApp } from "../support/test-app.ts";
import { openSearchFaults } from "../support/validators.ts";

const run = promisify(execFile);
const UNKNOWN_ID = "00000000-0000-4000-8000-00000000dead";
/** Characters that some parsers treat as the end of a line, followed by text that would add a property. */
const INJECTION = `\r\nEND:VCARD\nBEGIN:VCARD\rX: y\u2028---\u0085Set-Cookie: a=b\u0001;,\\,"'%22${HOSTILE_TEXT}`;
const RIGHT_TO_LEFT = "\u202Eמרים الحسن\u202C";

const site = await startTestApp();
const { ask, eventually } = site;
afterAll(() => site.stop());

const ada = await site.addMember({
  username: "ada",
  full_name: "Ada Lovelace",
  bio: "Writes about indexes.\nAnd engines.",
  avatar_url: "/ada.png",
  linkedin_url: "https://linkedin.example/in/ada?a=1,2;b",
  current_title: "Analyst",
  company: "Engines, Unlimited",
  featured_skills: ["SQL"],
});
await site.add("skills", {
  profile_id: ada,
  category: "sql",
  name: "Joins",
  proficiency: 4,
  years_experience: 7,
});
await site.addMember({
  username: "mallory",
  full_name: RIGHT_TO_LEFT + INJECTION,
  bio: INJECTION.repeat(20),
  avatar_url: "/a\r\nb.png",
  current_title: INJECTION,
  company: INJECTION,
  featured_skills: [INJECTION],
});

const addArticle = (row: Record<string, unknown> = {}) =>
  site.add("articles", { author_id: ada, title: "Title", content: "Text", published: true, ...row });
const addSample = (row: Record<string, unknown> = {}) =>
  site.add("code_samples", {
    profile_id: ada,
    title: "Window functions",
    language: "sql",
    code_content: "select 1",
    ...row,
  });

test("an article's .md file contains front matter, followed by its Markdown, byte for byte", async () => {
  const content = "---\nnot: front matter\r\n\ttext  \n\u2028 ü 😀 no newline at the end";
  const title = `Why "indexes" lie: --- ${HOSTILE_TEXT}`;
  const id = await addArticle({ title, content });
  const response = await ask(`/articles/${id}.md`);
  expect(response.headers.get("Content-Type")).toBe("text/markdown; charset=utf-8");
  const { fields: read, body } = readFrontMatter(await response.text());
  const fields = Object.fromEntries(read ?? []);
  expect(body).toBe(content);
  expect(fields).toMatchObject({ id, title, published: "true", createdat: expect.stringMatching(/^20/) });
  expect(Object.keys(fields)).toEqual(["id", "title", "published", "createdat", "updatedat"]);
});

test.each([
  ["python", "py"],
  ["sql", "sql"],
  ["javascript", "js"],
  ["typescript", "ts"],
  ["bash", "sh"],
  ["yaml", "yaml"],
])(
  "a code sample in %s is served byte for byte as a .%s file, and with no other extension",
  async (language, extension) => {
    const code = `#!/usr/bin/env x\r\n\t<b> & "é" 😀\n\n  `;
    const id = await addSample({ language, code_content: code });
    const response = await ask(`/sample-code/${id}.${extension}`);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([
      200,
      "text/plain; charset=utf-8",
    ]);
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(code);
    for (const other of ["md", "txt", extension === "py" ? "js" : "py"]) {
      expect((await ask(`/sample-code/${id}.${other}`)).status, other).toBe(404);
    }
  },
);

test.each([
  ["Window functions", "window-functions", "window-functions"],
  [`a"; filename="evil.exe\r\nX: y`, "a-filename-evil-exe-x-y", "a-filename-evil-exe-x-y"],
  ["../../etc/passwd", "etc-passwd", "etc-passwd"],
  ["Größe & Café", "gro-e-cafe", "gr%C3%B6%C3%9Fe-caf%C3%A9"],
  [RIGHT_TO_LEFT, "untitled", "%D7%9E%D7%A8%D7%99%D7%9D-%D8%A7%D9%84%D8%AD%D8%B3%D9%86"],
])("a code sample titled %j has a safe file name in Content-Disposition", async (title, ascii, encoded) => {
  const id = await addSample({ title });
  const short = id.slice(0, 8);
  const response = await ask(`/sample-code/${id}.sql`);
  expect(response.headers.get("Content-Disposition")).toBe(
    `inline; filename="${ascii}-${short}.sql"; filename*=UTF-8''${encoded}-${short}.sql`,
  );
});

test("curl -OJ saves a code sample under its title, and the saved file runs", async () => {
  const server = createAdaptorServer({ fetch: site.app.fetch, createServer }) as Server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-curl-"));
  try {
    const id = await addSample({ language: "javascript", code_content: "console.log('it ' + 'runs');" });
    const { port } = server.address() as AddressInfo;
    await run("curl", ["-sSOJ", `http://127.0.0.1:${port}/sample-code/${id}.js`], { cwd: folder });
    const [file = ""] = await readdir(folder);
    expect(file).toBe(`window-functions-${id.slice(0, 8)}.js`);
    const { stdout } = await run(process.execPath, [path.join(folder, file)]);
    expect(stdout).toBe("it runs\n");
    expect(await readFile(path.join(folder, file), "utf8")).toBe("console.log('it ' + 'runs');");
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test("files such as .md, .json and .vcf support HEAD and conditional requests, reject POST, and may be kept by shared caches for a second", async () => {
  const [article, sample] = [await addArticle(), await addSample()];
  for (const address of [
    `/articles/${article}.md`,
    `/sample-code/${sample}.sql`,
    "/profile/ada.json",
    "/profile/ada.vcf",
    "/llms.txt",
    "/opensearch.xml",
  ]) {
    const first = await ask(address);
    const etag = first.headers.get("ETag") ?? "";
    expect([address, first.status, etag]).toEqual([address, 200, expect.stringMatching(/^W\/"/)]);
    expect(first.headers.get("Cache-Control"), address).toBe("public, max-age=0, s-maxage=1");
    const again = await ask(address, { headers: { "If-None-Match": etag } });
    expect([again.status, await again.text()], address).toEqual([304, ""]);
    expect((await ask(address, { method: "HEAD" })).status, address).toBe(200);
    expect((await ask(address, { method: "POST" })).status, address).toBe(405);
  }
});

test("a file's URL returns 404 with no-store for an unknown item or person, an unavailable format, or an id in place of a username", async () => {
  const id = await addArticle();
  for (const address of [
    `/articles/${UNKNOWN_ID}.md`,
    `/articles/${UNKNOWN_ID}.constructor`,
    `/sample-code/${id}.py`,
    `/useful-links/${id}.md`,
    "/articles/x.md",
    "/profile/nobody.json",
    "/profile/nobody.vcf",
    `/profile/${ada}.json`,
    `/profile/${UNKNOWN_ID}.vcf`,
    "/profile/.json",
    "/profile/...json",
    "/profile/ada.md",
  ]) {
    const response = await ask(address);
    expect([address, response.status, response.headers.get("Cache-Control")]).toEqual([
      address,
      404,
      "no-store",
    ]);
  }
});

test("the .md file of an unpublished article is marked noindex, and that of a published one has a Link header to the article's page", async () => {
  const [draft, published] = [await addArticle({ published: false }), await addArticle()];
  const [draftFile, publishedFile] = [
    await ask(`/articles/${draft}.md`),
    await ask(`/articles/${published}.md`),
  ];
  expect(draftFile.headers.get("X-Robots-Tag")).toBe("noindex");
  expect(publishedFile.headers.get("X-Robots-Tag")).toBeNull();
  const page = itemPath(articles, { id: published, title: "Title" });
  expect(publishedFile.headers.get("Link")).toBe(`<${SITE}${page}>; rel="canonical"`);
});

test("a person's JSON Resume is valid and contains their profile, skills and published articles, but no unpublished ones", async () => {
  const id = await addArticle({ title: "On engines", created_at: "2026-03-05T12:00:00Z" });
  await addArticle({ title: "Draft", published: false });
  await expect.poll(() => eventually("/profile/ada.json")).toContain("On engines");
  const resume = JSON.parse(await eventually("/profile/ada.json"));
  expect(validationErrorsOf(resume)).toEqual([]);
  const url = `${SITE}/profile/ada`;
  expect(resume).toMatchObject({
    basics: {
      name: "Ada Lovelace",
      label: "Analyst",
      image: `${SITE}/ada.png`,
      url,
      summary: "Writes about indexes.\nAnd engines.",
      profiles: [
        { network: "Techfolio.com", username: "ada", url },
        { network: "LinkedIn", url: "https://linkedin.example/in/ada?a=1,2;b" },
      ],
    },
    work: [{ name: "Engines, Unlimited", position: "Analyst" }],
    skills: [
      { name: "Featured skills", keywords: ["SQL"] },
      { name: "Joins", level: "4/5, 7 years", keywords: ["SQL"] },
    ],
    meta: {
      canonical: `${url}.json`,
      version: "v1.0.0",
      lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
    },
  });
  expect(resume.publications).toContainEqual({
    name: "On engines",
    publisher: "Techfolio.com",
    releaseDate: "2026-03-05",
    url: `${SITE}/articles/on-engines-${id.slice(-12)}`,
  });
  expect(JSON.stringify(resume)).not.toContain("Draft");
});

test("the JSON Resume of an empty or hostile profile is valid", async () => {
  const empty = await site.addMember();
  for (const slug of [empty, "mallory"]) {
    const response = await ask(`/profile/${slug}.json`);
    expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    const resume = await response.json();
    expect(validationErrorsOf(resume)).toEqual([]);
    expect(resume.basics.name).toBe(slug === empty ? "Unnamed member" : RIGHT_TO_LEFT + INJECTION);
  }
});

test("ical.js reads every field of a person's vCard", async () => {
  const response = await ask("/profile/ada.vcf");
  expect(response.headers.get("Content-Type")).toBe("text/vcard; charset=utf-8");
  const [card] = parseVcards(await response.text());
  expect(Object.fromEntries(card ?? [])).toEqual({
    version: "4.0",
    source: `${SITE}/profile/ada.vcf`,
    kind: "individual",
    uid: `urn:uuid:${ada}`,
    fn: "Ada Lovelace",
    n: ["Lovelace", "Ada", "", "", ""],
    nickname: "ada",
    photo: `${SITE}/ada.png`,
    title: "Analyst",
    org: "Engines, Unlimited",
    url: "https://linkedin.example/in/ada?a=1,2;b",
    note: "Writes about indexes.\nAnd engines.",
    categories: ["SQL", "Joins"],
    rev: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
  expect(card).toContainEqual(["url", `${SITE}/profile/ada`]);
});

test("hostile text in a profile adds no card or property to the vCard, and each line has at most 75 bytes and no control characters", async () => {
  const text = await (await ask("/profile/mallory.vcf")).text();
  const cards = parseVcards(text);
  expect(cards).toHaveLength(1);
  expect(cards[0]?.map(([name]) => name)).toEqual([
    "version",
    "source",
    "kind",
    "uid",
    "fn",
    "n",
    "nickname",
    "photo",
    "title",
    "org",
    "url",
    "note",
    "categories",
    "rev",
  ]);
  const [, name] = cards[0]?.find(([property]) => property === "fn") ?? [];
  expect(String(name)).toMatch(
    /^\u202Eמרים الحسن\u202C\nEND:VCARD\nBEGIN:VCARD\nX: y\n---\nSet-Cookie: a=b;,\\,"/,
  );
  for (const line of text.split("\r\n")) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the vCard must not contain these characters
    expect(line).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\ufffd]/);
  }
});

test("the vCard of an empty profile has a placeholder name", async () => {
  const id = await site.addMember();
  const [card] = parseVcards(await (await ask(`/profile/${id}.vcf`)).text());
  expect(card).toContainEqual(["fn", "Unnamed member"]);
});

test("the OpenSearch description is valid, and its URL template finds articles and people", async () => {
  const id = await addArticle({ title: "Needle & thread" });
  const person = await site.addMember({ full_name: "Needle & Thread" });
  const text = await eventually("/opensearch.xml");
  expect(openSearchFaults(text)).toEqual([]);
  expect(text).toContain("<ShortName>Techfolio.com</ShortName>");
  const [, template = ""] = /type="text\/html" template="([^"]+)"/.exec(text) ?? [];
  const search = template.replace(SITE, "").replace("{searchTerms}", encodeURIComponent("needle &"));
  expect(search).toMatch(/^\/search\?q=/);
  const results = await eventually(search);
  expect(results).toContain(`<article id="${id}"`);
  expect(results).toContain(`<article id="${person}"`);
});

test("llms.txt contains a title, a summary and working links to the lists", async () => {
  const text = await eventually("/llms.txt");
  expect(text).toMatch(/^# Techfolio\.com\n\n> A platform for professionals/);
  const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, address = ""]) => address);
  expect(links).toEqual(
    expect.arrayContaining([`${SITE}/articles`, `${SITE}/useful-links`, `${SITE}/people`, `${SITE}/search`]),
  );
  for (const address of links) expect((await ask(address.replace(SITE, ""))).status, address).toBe(200);
});

test("pages link to their feeds and files in other formats, and to the OpenSearch description", async () => {
  const [article, sample] = [await addArticle(), await addSample()];
  const alternateLinksOf = async (page: string, status = 200) => {
    const html = await eventually(page, status);
    const links = [...html.matchAll(/<link [^>]*rel="(?:alternate|search)"[^>]*>/g)].map(([link]) => link);
    return links.map((link) => /href="([^"]+)"/.exec(link)?.[1]?.replace(SITE, ""));
  };
  const feeds = KINDS.flatMap(({ feed }) => feed ?? []);
  expect(await alternateLinksOf("/")).toEqual(["/llms.txt", ...feeds, "/opensearch.xml"]);
  expect(await alternateLinksOf("/nowhere", 404)).toEqual(["/opensearch.xml"]);
  expect(await alternateLinksOf("/useful-links")).toEqual([...feeds, "/opensearch.xml"]);
  expect(await alternateLinksOf(`/articles/${article}`)).toContain(
    `${itemPath(articles, { id: article, title: "Title" })}.md`,
  );
  expect(await alternateLinksOf(`/sample-code/${sample}`)).toContain(
    `${itemPath(sampleCode, { id: sample, title: "Window functions" })}.sql`,
  );
  expect(await alternateLinksOf("/profile/ada")).toEqual([
    "/profile/ada.json",
    "/profile/ada.vcf",
    ...feeds.map((feed) => `/profile/ada${feed}`),
    ...feeds,
    "/opensearch.xml",
  ]);
});

test("a code sample's card and page have a link labeled Raw to the sample's file", async () => {
  const id = await addSample();
  for (const page of ["/sample-code", `/sample-code/${id}`]) {
    const rawLinks = async () =>
      ((await eventually(page)).match(/<a [^>]*>.*?<\/a>/gs) ?? []).filter((link) => link.includes(">Raw<"));
    const file = `${itemPath(sampleCode, { id, title: "Window functions" })}.sql`;
    await expect.poll(rawLinks).toContainEqual(expect.stringContaining(`href="${file}"`));
  }
});

/** The errors that JSON Resume's own validator reports. */
function validationErrorsOf(resume: object): string[] {
  let messages: string[] = [];
  validate(resume, (errors) => {
    messages = (errors ?? []).map(String);
  });
  return messages;
}

/** The properties of each vCard in `text`, parsed by ical.js, which Thunderbird uses. */
function parseVcards(text: string): [string, unknown][][] {
  const parsed = ICAL.parse(text) as [string, unknown[]][] | [string, unknown[]];
  const cards = (typeof parsed[0] === "string" ? [parsed] : parsed) as [string, unknown[][]][];
  return cards.map(([, properties]) =>
    properties.map(([name, , , ...values]) => [String(name), values.length > 1 ? values : values[0]]),
  );
}
