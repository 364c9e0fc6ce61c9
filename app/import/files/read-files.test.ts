import { crc32 } from "node:zlib";
import { BlobWriter, TextReader, ZipWriter } from "@zip.js/zip.js";
import { expect, test } from "vitest";
import { ADA, read } from "../../../tests/support/imports.ts";
import { zipTexts } from "../../portability/export/archive.ts";
import { readFiles } from "./read-files.ts";

async function zip(files: Record<string, string>, name = "export.zip"): Promise<File> {
  return new File([await zipTexts(Object.entries(files).map(([path, text]) => ({ path, text })))], name);
}

const titles = ({ items }: Awaited<ReturnType<typeof read>>) => items.map(({ fields }) => fields.title);

test("Markdown files are read from nested folders of several archives and from loose files", async () => {
  const content = await read(
    await zip({ "site/content/posts/a/index.md": "# A", "posts\\b.MD": "# B", "./e.md": "# E" }),
    await zip({ "c.markdown": "# C" }, "OTHER.ZIP"),
    new File(["# D"], "d.md"),
  );
  expect(titles(content)).toEqual(["A", "B", "E", "C", "D"]);
  expect(content.items.map(({ path }) => path)).toEqual([
    "site/content/posts/a/index.md",
    "posts/b.MD",
    "e.md",
    "c.markdown",
    "d.md",
  ]);
  expect(content.leftOut).toEqual([]);
});

test("files that cannot be imported are listed with reasons, and the others are imported", async () => {
  const content = await read(
    await zip({
      "../up.md": "# Up",
      "..\\up.md": "# Up",
      "/root.md": "# Root",
      "C:/drive.md": "# Drive",
      "a/./.hidden.md": "# Hidden",
      "image.png": "no text",
      "inner.zip": "PK",
      "bad.md": "---\ntitle: [\n---\n",
      "good.md": "# Good",
    }),
    new File([Uint8Array.of(0xff, 0xfe, 0x41, 0)], "utf16.md"),
    new File(["nothing"], "broken.zip"),
    new File(["text"], "text.txt"),
  );
  expect(titles(content)).toEqual(["Good"]);
  expect(content.leftOut.map(({ source, reason }) => `${source} ${reason}`)).toEqual([
    "../up.md has a path that leads out of the archive",
    "../up.md has a path that leads out of the archive",
    "/root.md has a path that leads out of the archive",
    "C:/drive.md has a path that leads out of the archive",
    "inner.zip is an archive inside an archive: please import it separately",
    expect.stringMatching(/^bad\.md cannot be read: /),
    "a/./.hidden.md is a hidden file",
    "image.png is a picture that no article shows",
    "broken.zip is not a readable archive",
    "utf16.md is not UTF-8 text",
    "text.txt is not Markdown",
  ]);
});

test("a name that only contains the sign of another file doesn't keep a file out or let it in", async () => {
  const content = await read(
    await zip({
      "posts/./a.md": "# A",
      "old__MACOSX/b.md": "# B",
      "__MACOSX.md": "# C",
      "posts/SQL: an introduction.md": "# SQL",
      "posts/notes.md.bak": "# Backup",
      "posts/page.mdx": "# Component",
    }),
    new File(["# D"], "about.zip.md"),
    inFolder("blog/v1.2/e.md", "# E"),
    inFolder("blog/old_node_modules/f.md", "# F"),
  );
  expect(titles(content)).toEqual(["A", "B", "C", "SQL", "D", "E", "F"]);
  expect(content.leftOut).toEqual(
    ["posts/notes.md.bak", "posts/page.mdx"].map((source) => ({ source, reason: "is not Markdown" })),
  );
});

test.each([
  [".obsidian/app.json", "Text of Other"],
  ["vault/.foam/a.json", "Text of Other"],
  ["vault\\logseq\\config.edn", "Text of Other"],
  ["my.obsidian/app.json", "Text of [[Other]]"],
  [".obsidian-notes/app.json", "Text of [[Other]]"],
  ["logseq.png", "Text of [[Other]]"],
])("in an archive with the file %j, a wiki link to no note becomes %j", async (path, text) => {
  const { items } = await read(await zip({ "a.md": "Text of [[Other]]", [path]: "{}" }));
  expect(items.map(({ fields }) => fields["content"])).toEqual([text]);
});

test("the hidden files of an archive from a Mac have one line", async () => {
  const hidden = Array.from({ length: 30 }, (_, n) => [`__MACOSX/posts/._${n}.md`, "Mac OS X"]);
  const { leftOut, items } = await read(
    await zip({ "posts/.DS_Store": "x", "posts/0.md": "# Good", ...Object.fromEntries(hidden) }),
  );
  expect(items).toHaveLength(1);
  expect(leftOut).toEqual([
    { source: "31 hidden files", reason: "are not imported, for example posts/.DS_Store" },
  ]);
});

test("files that share another program's id are identified by their paths", async () => {
  const post = "---\nid: intro\ntitle: Intro\n---\nText";
  const { items } = await read(
    await zip({ "a/intro.md": post, "b/intro.md": post, "c.md": post.replace("intro", "c") }),
  );
  expect(items.map(({ id }) => id)).toEqual([null, null, "c"]);
});

test("files that share a UUID keep it", async () => {
  const post = `---\nid: ${ADA}\ntitle: Intro\n---\nText`;
  const { items } = await read(await zip({ "a/intro.md": post, "b/intro.md": post }));
  expect(items.map(({ id }) => id)).toEqual([ADA, ADA]);
});

test("a file that inflates to more than the limit is not imported, even if the archive states a smaller size", async () => {
  const bomb = await zip({ "bomb.md": "0".repeat(11 * 1024 * 1024), "good.md": "# Good" });
  expect(bomb.size).toBeLessThan(100_000);
  const honest = await read(bomb);
  expect(titles(honest)).toEqual(["Good"]);
  expect(honest.leftOut).toEqual([{ source: "bomb.md", reason: "is larger than 10 MB" }]);

  const lying = await read(new File([withSizeOf(100, await bomb.bytes())], "export.zip"));
  expect(titles(lying)).toEqual(["Good"]);
  expect(lying.leftOut).toEqual([{ source: "bomb.md", reason: "is damaged" }]);
});

/** Changes the uncompressed size in the first entry of an archive's directory (APPNOTE.TXT, 4.3.12). */
function withSizeOf(size: number, archive: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(archive.buffer, archive.byteOffset);
  const entry = archive.findIndex(
    (_, at) => at + 4 < archive.length && view.getUint32(at, true) === 0x02014b50,
  );
  view.setUint32(entry + 24, size, true);
  return archive;
}

test("a corrupted file in an archive is detected by its checksum", async () => {
  const file = await zip({ "a.md": "# Damaged ".repeat(100), "b.md": "# Good" });
  const bytes = await file.bytes();
  bytes[50] = (bytes[50] ?? 0) ^ 0xff;
  const content = await read(new File([bytes], "export.zip"));
  expect(titles(content)).toEqual(["Good"]);
  expect(content.leftOut).toEqual([{ source: "a.md", reason: "is damaged" }]);
});

test("if the end of an archive's list of files is damaged, the files before it are read, and the archive is named", async () => {
  const archive = await zip({ "a.md": "# A", "b.md": "# B", "c.md": "# C" });
  const bytes = Buffer.from(await archive.arrayBuffer());
  bytes.write("XX", bytes.lastIndexOf("PK\x01\x02"));
  const content = await read(new File([bytes], "export.zip"), new File(["# D"], "d.md"));
  expect(titles(content)).toEqual(["A", "B", "D"]);
  expect(content.leftOut).toEqual([
    { source: "export.zip", reason: "is damaged, and its last files could not be read" },
  ]);
});

const SMALL = { files: 5, fileBytes: 1_000, totalBytes: 3_000 };

function readWithin(limits: typeof SMALL, ...files: File[]) {
  return readFiles(files, limits);
}

test("files that would take the import over its size limit are each listed as left out", async () => {
  const long = "0".repeat(1_000);
  const archive = await zip({ "0.md": long, "1.md": long, "2.md": long, "3.md": long });
  const content = await readWithin(SMALL, archive, new File([long], "4.md"));
  const reason = "would exceed the total size limit of an import: please import it separately";
  expect(content.items).toHaveLength(3);
  expect(content.leftOut).toEqual([
    { source: "3.md", reason },
    { source: "4.md", reason },
  ]);
});

test("an import reads files up to its maximum number and reports that it ignores the rest", async () => {
  const files = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`${n}.md`, `# ${n}`]));
  const zipped = await readWithin(SMALL, await zip(files));
  expect(zipped.items).toHaveLength(5);
  expect(zipped.leftOut).toMatchObject([{ source: "The rest" }]);
  const chosen = await readWithin(
    SMALL,
    ...Object.entries(files).map(([name, text]) => new File([text], name)),
  );
  expect(chosen.items).toHaveLength(5);
  expect(chosen.leftOut).toEqual([
    { source: "The rest", reason: "exceeds the limit of 5 files per import: please import it separately" },
  ]);
});

test("the valid entries of JSON lists are read, and damaged entries and lists are reported", async () => {
  const content = await read(
    await zip({
      "backup/useful-links.json": JSON.stringify([
        { title: "Docs", url: "/docs", category: "SQL" },
        { title: 1 },
        null,
      ]),
      "backup/skills.json": "{",
      "backup/sample-code.json": JSON.stringify([
        { title: "Loop", language: "python", file: "sample-code/loop.py" },
        { title: "Gone", language: "python", file: "sample-code/gone.py" },
      ]),
      "backup/sample-code/loop.py": "for x in y: pass",
      "backup/sample-code/stray.py": "pass",
    }),
  );
  expect(titles(content)).toEqual(["Docs", "Loop"]);
  expect(content.leftOut.map(({ source, reason }) => `${source} ${reason}`)).toEqual([
    "backup/useful-links.json has an entry that cannot be read (number 2)",
    "backup/useful-links.json has an entry that cannot be read (number 3)",
    expect.stringMatching(/^backup\/skills\.json cannot be read: /),
    "backup/sample-code/gone.py is listed in sample-code.json but is not in the archive",
    "backup/sample-code/stray.py is not listed in sample-code.json",
  ]);
});

test("a code sample keeps its byte-order mark", async () => {
  const list = [{ title: "Loop", language: "python", file: "sample-code/loop.py" }];
  const { items } = await read(
    await zip({ "sample-code.json": JSON.stringify(list), "sample-code/loop.py": "\ufeffpass" }),
  );
  expect(items.map(({ fields }) => fields["code_content"])).toEqual(["\ufeffpass"]);
});

test("articles without titles have the names of their folders if their files have the same name", async () => {
  const text = "Text";
  const content = await read(
    await zip({ "Loops/Notes.md": text, "Lists\\notes.md": text, "Sets/Trees.md": text }),
  );
  expect(titles(content)).toEqual(["Loops", "Lists", "Trees"]);
});

test("items that the database would reject are listed with the reason but not imported", async () => {
  const link = { title: "Docs", url: "/docs", description: null, category: "SQL" };
  const sample = (name: string) => ({ title: name, language: "python", file: `sample-code/${name}.py` });
  const content = await read(
    await zip({
      "untitled.md": `---\nid: ${ADA}\ntitle: ""\n---\nText`,
      "empty.md": "---\ntitle: A\n---\n",
      "nul.md": "a\0b",
      "useful-links.json": JSON.stringify([
        { ...link, url: "javascript:alert(1)" },
        { ...link, category: "" },
        { ...link, title: " \u00a0\n" },
        { ...link, title: "half \ud800" },
        { ...link, description: 7 },
      ]),
      "sample-code.json": JSON.stringify([
        sample("empty"),
        { ...sample("old"), language: "cobol" },
        { ...sample("nameless"), title: 1 },
      ]),
      "sample-code/empty.py": "",
      "sample-code/old.py": "pass",
      "sample-code/nameless.py": "pass",
    }),
  );
  expect(content.items).toEqual([]);
  expect(content.leftOut.map(({ source, reason }) => `${source} ${reason}`)).toEqual([
    "untitled.md has no title",
    "empty.md has no text",
    "nul.md contains a character that cannot be stored (NUL or an unpaired surrogate)",
    "useful-links.json has a URL scheme that is not allowed in its address",
    "useful-links.json has no category",
    "useful-links.json has no title",
    "useful-links.json contains a character that cannot be stored (NUL or an unpaired surrogate)",
    "useful-links.json has an entry that cannot be read (number 5)",
    "sample-code/empty.py has no code",
    "sample-code/old.py uses an unsupported language: cobol",
    "sample-code/nameless.py has an invalid entry in sample-code.json",
  ]);
});

test("texts of the maximum length are read, and longer ones are named", async () => {
  const characters = (count: number) => "😀".repeat(count);
  const url = (length: number) => `https://site.test/${"a".repeat(length - 18)}`;
  const link = { title: "A", url: url(4_000), category: characters(1_000), description: characters(20_000) };
  const content = await read(
    await zip({
      "long.md": `---\ntitle: ${characters(1_001)}\n---\nText`,
      "longest.md": `---\ntitle: ${characters(1_000)}\n---\n${characters(500_000)}`,
      "longer.md": characters(500_001),
      "useful-links.json": JSON.stringify([
        link,
        { ...link, url: url(4_001) },
        { ...link, category: characters(1_001) },
        { ...link, description: characters(20_001) },
      ]),
      "skills.json": JSON.stringify([
        { category: "sql", name: characters(100), proficiency: 5, years_experience: 80 },
        { category: "sql", name: characters(101), proficiency: 5, years_experience: 80 },
      ]),
      "profile.json": JSON.stringify({ featured_skills: [characters(20_000), "SQL"] }),
    }),
  );
  expect(content.items.map(({ source }) => source)).toEqual(["longest.md", "useful-links.json"]);
  expect(content.skills).toHaveLength(1);
  expect(content.leftOut.map(({ source, reason }) => `${source} ${reason}`)).toEqual([
    "long.md has more than 1,000 characters in its title",
    "longer.md has more than 500,000 characters in its text",
    "useful-links.json has more than 4,000 characters in its address",
    "useful-links.json has more than 1,000 characters in its category",
    "useful-links.json has more than 20,000 characters in its description",
    "skills.json has more than 100 characters in its name",
    "profile.json has more than 20,000 characters in its featured skills",
  ]);
});

test("the valid entries of a skills list are read, and the invalid ones are reported", async () => {
  const skill = { category: "sql", name: "SQL", proficiency: 5, years_experience: 9 };
  const content = await read(
    await zip({
      "skills.json": JSON.stringify([
        skill,
        { ...skill, proficiency: 6 },
        { ...skill, category: "cobol" },
        { ...skill, years_experience: 81 },
        { ...skill, name: 7 },
      ]),
    }),
  );
  expect(content.skills).toEqual([{ ...skill, createdAt: null }]);
  expect(content.leftOut.map(({ reason }) => reason)).toEqual([
    "has a number outside 1 to 5 in its proficiency",
    "uses an unsupported category: cobol",
    "has a number outside 0 to 80 in its years of experience",
    "has an entry that cannot be read (number 5)",
  ]);
});

test("a skills list without readable entries replaces no skills, but an empty list replaces all", async () => {
  const [unreadable, empty] = [[{ category: "cobol" }], []];
  expect((await read(await zip({ "skills.json": JSON.stringify(unreadable) }))).skills).toBeNull();
  expect((await read(await zip({ "skills.json": JSON.stringify(empty) }))).skills).toEqual([]);
});

test("a profile with missing fields is read, and the missing fields are empty", async () => {
  const { profile, leftOut } = await read(await zip({ "profile.json": '{ "username": "ada" }' }));
  expect(leftOut).toEqual([]);
  expect(profile).toEqual({
    username: "ada",
    full_name: null,
    bio: null,
    avatar_url: null,
    current_title: null,
    company: null,
    years_experience: null,
    featured: false,
    linkedin_url: null,
    featured_skills: [],
  });
});

test("a profile.json that contains a list is not imported", async () => {
  for (const list of [[], [{ username: "ada" }]]) {
    const { profile, leftOut } = await read(await zip({ "profile.json": JSON.stringify(list) }));
    expect(profile).toBeNull();
    expect(leftOut).toEqual([{ source: "profile.json", reason: "cannot be read" }]);
  }
});

test.each([{ bio: 7 }, { years_experience: "9" }, { featured: "no" }, { featured_skills: ["SQL", 1] }])(
  "a profile with the invalid value %j is left out and reported",
  async (damage) => {
    const file = JSON.stringify({ username: "ada", ...damage });
    const { profile, leftOut } = await read(await zip({ "profile.json": file }));
    expect(profile).toBeNull();
    expect(leftOut).toEqual([{ source: "profile.json", reason: "cannot be read" }]);
  },
);

/** Creates an archive with one uncompressed file that has the given header fields. */
function zipWith({
  name = "a.md",
  method = 0,
  flags = 0,
}: {
  name?: string;
  method?: number;
  flags?: number;
}) {
  const content = new TextEncoder().encode("# A");
  const bytes = Uint8Array.from(name, (character) => character.charCodeAt(0));
  const crc = crc32(content);
  const u16 = (value: number) => [value & 0xff, (value >> 8) & 0xff];
  const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)];
  const common = [
    ...u16(20),
    ...u16(flags),
    ...u16(method),
    ...u16(0),
    ...u16(0x5021),
    ...u32(crc),
    ...u32(content.length),
    ...u32(content.length),
    ...u16(bytes.length),
    ...u16(0),
  ];
  const local = [...u32(0x04034b50), ...common, ...bytes, ...content];
  const central = [
    ...u32(0x02014b50),
    ...u16(20),
    ...common,
    ...u16(0),
    ...u16(0),
    ...u16(0),
    ...u32(0),
    ...u32(0),
    ...bytes,
  ];
  const end = [
    ...u32(0x06054b50),
    ...u16(0),
    ...u16(0),
    ...u16(1),
    ...u16(1),
    ...u32(central.length),
    ...u32(local.length),
    ...u16(0),
  ];
  return new File([Uint8Array.from([...local, ...central, ...end])], "export.zip");
}

test.each([
  [1, "Shrink"],
  [6, "Implode"],
  [12, "bzip2"],
  [14, "LZMA"],
  [9, "Deflate64"],
  [93, "Zstandard"],
  [95, "xz"],
  [98, "PPMd"],
  [77, "number 77"],
])(
  "a file that is compressed with the unsupported method %d is reported with the method's name, %s",
  async (method, name) => {
    const { items, leftOut } = await read(zipWith({ method }));
    expect(items).toEqual([]);
    expect(leftOut).toEqual([
      {
        source: "a.md",
        reason: `uses a compression method that Techfolio does not read (${name}): please extract the archive, or compress it as an ordinary .zip`,
      },
    ]);
  },
);

test("an encrypted file is reported as encrypted", async () => {
  const reason = "is encrypted: please extract the archive with its password first";
  expect((await read(zipWith({ flags: 1 }))).leftOut).toEqual([{ source: "a.md", reason }]);
  expect((await read(zipWith({ flags: 1, method: 99 }))).leftOut).toEqual([{ source: "a.md", reason }]);
});

test.each([
  ["Rar!\x1a\x07", "is a RAR archive, not a .zip archive: please choose a .zip archive"],
  ["7z\xbc\xaf\x27\x1c", "is a 7z archive, not a .zip archive: please choose a .zip archive"],
  ["\xfd7zXZ\0", "is an xz archive, not a .zip archive: please choose a .zip archive"],
  ["Rar", "is not a readable archive"],
  ["\x1f\x8b\x08", "is a gzip archive, not a .zip archive: please choose a .zip archive"],
  ["", "is empty"],
  ["PK\x03\x04 and no list of files", "is damaged or incomplete: please download or compress it again"],
  ["no archive", "is not a readable archive"],
])("for a .zip file that starts with %j, the import reports that it %s", async (start, reason) => {
  const bytes = Uint8Array.from(start, (character) => character.charCodeAt(0));
  const { leftOut } = await read(new File([bytes], "export.zip"));
  expect(leftOut).toEqual([{ source: "export.zip", reason }]);
});

test("a file name that is not UTF-8 is decoded, and a note names the guessed encoding", async () => {
  const { items } = await read(zipWith({ name: "\x93\xfa\x96\x7b\x8c\xea.md" }));
  expect(items).toMatchObject([
    { path: "日本語.md", notes: ["the file's name is not UTF-8: read as shift_jis"] },
  ]);
});

function inFolder(path: string, text: string): File {
  const file = new File([text], path.split("/").at(-1) ?? "");
  return Object.defineProperty(file, "webkitRelativePath", { value: path });
}

test("a chosen folder is read like an archive, without hidden folders and node_modules", async () => {
  const { items, leftOut } = await read(
    inFolder("blog/posts/2021-09-03-a/index.md", "Text"),
    inFolder("blog/.git/objects/a.md", "# Hidden"),
    inFolder("blog/.git/HEAD", "ref"),
    inFolder("blog/themes/node_modules/x/README.md", "# Package"),
    inFolder(
      "blog/sample-code.json",
      '[{ "title": "Loop", "language": "python", "file": "sample-code/loop.py" }]',
    ),
    inFolder("blog/sample-code/loop.py", "pass"),
    inFolder("blog/cover.png", ""),
  );
  expect(items.map(({ path, fields }) => [path, fields.title])).toEqual([
    ["blog/posts/2021-09-03-a/index.md", "a"],
    ["blog/sample-code.json:sample-code/loop.py", "Loop"],
  ]);
  expect(leftOut.map(({ source, reason }) => `${source} ${reason}`)).toEqual([
    "blog/.git is a folder that is not imported",
    "blog/themes/node_modules is a folder that is not imported",
    "blog/cover.png is a picture that no article shows",
  ]);
});

test("a symbolic link in an archive leads to its file within the archive, or is named", async () => {
  const writer = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false });
  const add = (path: string, text: string, mode: number) =>
    writer.add(path, new TextReader(text), {
      externalFileAttributes: mode * 0x10000,
      msDosCompatible: false,
    });
  await add("posts/first.md", "# First", 0o100644);
  await add("latest.md", "posts/first.md", 0o120777);
  await add("posts/up.md", "../posts/./first.md", 0o120777);
  await add("posts/beside.md", "first.md", 0o120777);
  for (const [path, target] of [
    ["out.md", "../../etc/passwd.md"],
    ["absolute.md", "/posts/first.md"],
    ["missing.md", "posts/second.md"],
    ["loop.md", "loop.md"],
    ["long.md", `${"./".repeat(3_000)}posts/first.md`],
  ] as const) {
    await add(path, target, 0o120777);
  }
  const content = await read(new File([await writer.close()], "blog.zip"));
  expect(content.items.map(({ source, fields }) => [source, fields.title])).toEqual([
    ["posts/first.md", "First"],
    ["latest.md", "First"],
    ["posts/up.md", "First"],
    ["posts/beside.md", "First"],
  ]);
  expect(content.leftOut).toEqual(
    ["out.md", "absolute.md", "missing.md", "loop.md", "long.md"].map((source) => ({
      source,
      reason: "is a link to a file that the archive does not contain",
    })),
  );
});
