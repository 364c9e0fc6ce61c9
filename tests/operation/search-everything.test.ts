// Tests public.search_everything (contract, "Searching everything") with the demo community and with words in many scripts.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { NO_ITEMS } from "../support/example-rows.ts";
import { type Member, startTestRest } from "../support/rest.ts";

interface Result {
  kind: string;
  id: string;
  title: string;
  created_at: string;
  title_parts: string[];
  excerpt: string[];
  author: { id: string; username: string | null; full_name: string | null } | null;
  person: { skills: { name: string }[] } | null;
}
interface Found {
  counts: Record<string, number>;
  results: Result[];
  next: string | null;
}

const rest = await startTestRest();
afterAll(() => rest.stop());
const visitor = rest.client();
await rest.admin.query(await readFile(path.join(import.meta.dirname, "../../supabase/seed.sql"), "utf8"));
const writer = await rest.signedIn();
const other = await rest.signedIn();

interface Options {
  search_kind?: string;
  page_cursor?: string | null;
  page_size?: number;
}
async function search(search_text: string, options: Options = {}): Promise<Found> {
  const { data } = await visitor.rpc("search_everything", { search_text, ...options }).throwOnError();
  return data[0];
}
const titles = async (text: string, options?: Options) =>
  (await search(text, options)).results.map(({ title }) => title);

async function addArticle(
  title: string,
  content: string,
  more: object = {},
  { id } = writer,
): Promise<string> {
  const row = { author_id: id, title, content, published: true, ...more };
  const client = rest.client(rest.keys.serviceKey);
  return (await client.from("articles").insert(row).select("id").single().throwOnError()).data.id;
}
const rename = ({ id }: Member, full_name: string | null) =>
  rest.admin.query("update public.profiles set full_name = $2 where id = $1", [id, full_name]);

describe("searches in the demo community", () => {
  test.each([
    ["psycopg copy", "psycopg 3: using COPY"],
    ["explain", "Read EXPLAIN from the inside out"],
    ["functions window", "Window functions, one question at a time"],
    ["wind", "Window functions, one question at a time"],
    ["ines munoz", "Inés Carvajal Muñoz"],
    ["WISNIEWSKI", "Tomasz Wiśniewski"],
    ["gudrun jonsdottir", "Guðrún Jónsdóttir"],
    ["佐藤", "佐藤 美咲"],
    ["ковальчук", "Олена Ковальчук"],
    ["ليلى", "ليلى حداد"],
    ["folake", "Fọlákẹ́ Adéyẹmí"],
    ["modern sql", "Modern SQL"],
    ["shrug null", "NULL is not a value, it is a shrug"],
    ["don't do this", "PostgreSQL wiki: Don't Do This"],
    ["row_number()", "Longest run of consecutive days"],
    ['"group by"', "pandas: group by"],
    ["cold starts", "Cold starts: measure first, then delete imports"],
    ["terraform state", "Terraform: state"],
    ["queue table", "A job queue in one table"],
    ["lambda -fargate", "Lambda handler that fails one message at a time"],
    ["retry jitter", "Retry with full jitter"],
    ["offset page 900", "Never OFFSET your way to page 900"],
    ["broadcasting", "NumPy: broadcasting"],
  ])("the first result for %j is %j", async (text, title) => {
    expect((await titles(text))[0]).toBe(title);
  });
});

describe("words, phrases and exclusions in a search", () => {
  test("every word must be found, in any order and in any field, and the author's name is one", async () => {
    await rename(writer, "Zora Quillfeather");
    const id = await addArticle("Harvesting figs", "Press them before the frost.");
    for (const text of ["figs frost", "frost figs", "quillfeather frost", "FROST zora harv", "figs"])
      expect(
        (await search(text)).results.map((result) => result.id),
        text,
      ).toEqual([id]);
    for (const text of ["figs snow", "fig frost", "quill frost", "rost"])
      expect(await titles(text), text).toEqual([]);
    await rename(writer, "Somebody Renamed");
    expect(await titles("quillfeather frost")).toEqual([]);
    expect(await titles("renamed frost")).toEqual(["Harvesting figs"]);
  });

  test("each of several words may be in an item's texts or in its author's name", async () => {
    const articles = { search_kind: "articles" };
    const [ines, maria] = [await rest.signedIn(), await rest.signedIn()];
    await rename(ines, "Ines Maria Okonkwo-Reyes da Silva Prado");
    await rename(maria, "Maria Prado");
    await addArticle("Notes on Maria", "A database that Ines likes.", {}, ines);
    await addArticle("Silva's report", "Written by somebody else.", {}, maria);
    for (const text of [
      "ines maria silva prado",
      "ines maria okonkwo-reyes da silva prado",
      "maria ines database",
      "database silva likes",
      '"da silva" database',
      "okonkwo-reyes notes ines",
      "prado database -report",
    ])
      expect(await titles(text, articles), text).toEqual(["Notes on Maria"]);
    expect(await titles("maria silva", articles)).toEqual(["Silva's report", "Notes on Maria"]);
    expect(await titles("silva report prado maria", articles)).toEqual(["Silva's report"]);
    for (const text of ["ines report", "maria prado -silva", "-maria database", '"maria silva" database'])
      expect(await titles(text, articles), text).toEqual([]);
  });

  test("results contain a phrase word for word, but not a word that follows a space and a -", async () => {
    await addArticle("Phrases", "The quokka\nsleeps, and the **wombat** digs.");
    await addArticle("Other phrases", "Here sleeps the quokka.");
    expect(await titles('"quokka sleeps"')).toEqual(["Phrases"]);
    expect(await titles('"quokka sleep"')).toEqual([]);
    expect(await titles('"the wombat digs"')).toEqual(["Phrases"]);
    expect((await titles("quokka")).sort()).toEqual(["Other phrases", "Phrases"]);
    expect(await titles("quokka -wombat")).toEqual(["Other phrases"]);
    expect(await titles('quokka -"here sleeps"')).toEqual(["Phrases"]);
    expect(await titles("-wombat")).toEqual([]);
    expect(await titles('"unclosed quokka')).toEqual([]);
  });

  test.each([
    ["C++", "Use C++ for this zyx1.", "Use C for this zyx1, or B+."],
    ["C#", "Use C# for this zyx2.", "Use C for this zyx2."],
    ["node.js", "Run node.js zyx3.", "Run node and some js zyx3."],
    ["row_number()", "select row_number() over () zyx4", "a row and its number zyx4"],
    ["--force", "git push --force zyx5", "use force zyx5"],
    ["/etc/hosts", "edit /etc/hosts zyx6", "hosts in etc zyx6"],
    ["100%", "It is 100% done zyx7.", "It is 100 done zyx7."],
    ["O'Reilly", "A book of O'Reilly's zyx8", "Reilly has an O zyx8"],
    [".env", "copy .env here zyx9", "the env zyx9"],
    ["a->b", "follow a->b zyx10", "a and b zyx10"],
    ["\\d+", "match \\d+ zyx11", "d zyx11"],
    ["%L", "format %L zyx12", "format L zyx12"],
  ])(
    "%s finds the text that contains it as written, and not one that only has its letters",
    async (text, right, wrong) => {
      const marker = /zyx\d+/.exec(right)?.[0];
      await addArticle(`Right ${marker}`, right);
      await addArticle(`Wrong ${marker}`, wrong);
      expect(await titles(`${text} ${marker}`)).toEqual([`Right ${marker}`]);
      expect(await titles(`${marker} ${text}`)).toEqual([`Right ${marker}`]);
      expect(await titles(text)).toContain(`Right ${marker}`);
      expect(await titles(text)).not.toContain(`Wrong ${marker}`);
    },
  );

  test.each([
    ["検索", "PostgreSQLの全文検索は速い。"],
    ["全文検索", "PostgreSQLの全文検索は速い。"],
    ["速", "PostgreSQLの全文検索は速い。"],
    ["全文 速い", "PostgreSQLの全文検索は速い。"],
    ["索引", "数据库的索引可以加快查询。"],
    ["查询 数据库", "数据库的索引可以加快查询。"],
    ["데이터", "관계형데이터베이스를 씁니다."],
    ["ฐานข้อมูล", "การออกแบบฐานข้อมูลเชิงสัมพันธ์"],
    ["カタカナ", "それはカタカナです"],
    ["postgresql 検索", "PostgreSQLの全文検索は速い。"],
  ])("%s finds %s, whose words have no spaces between them", async (text, content) => {
    const title = `In another script: ${text}`;
    await addArticle("Script", `${content} ${title.length}`);
    expect(
      (await search(text, { page_size: 60 })).results.map((result) => result.excerpt.join("")).join(),
    ).toContain(content);
  });

  test("a longer word of a script without spaces is found only as written", async () => {
    await addArticle("Parts", "文検 全文 検索");
    expect(await titles("全文検索")).not.toContain("Parts");
  });

  test.each([
    ["zurich", "Zürich"],
    ["ZÜRICH", "zurich"],
    ["lodz", "Łódź"],
    ["strasse", "Straße"],
    ["cafe", "cafe\u0301"],
    ["σίσυφος", "ΣΙΣΥΦΟΣ"],
    ["istanbul", "İSTANBUL"],
    ["fi", "\ufb01"],
  ])("%s finds %s, because case and accents don't count", async (text, written) => {
    await addArticle("Folded", `qqfold ${written}`);
    expect((await search(`qqfold ${text}`)).results.map(({ excerpt }) => excerpt.join(""))).toContain(
      `qqfold ${written.normalize()}`,
    );
  });
});

describe("the order of a search's results", () => {
  test("exact titles come first, then titles with all words, then texts, and the newest is first among equals", async () => {
    const at = (day: number) => ({ created_at: `2026-01-0${day}T00:00:00Z` });
    await addArticle("Something else", "about ocelot husbandry", at(5));
    await addArticle("Ocelot husbandry", "exact, old", at(1));
    await addArticle("Notes on husbandry and the ocelot", "title, old", at(2));
    await addArticle("A second text", "husbandry of an ocelot", at(6));
    await addArticle("ocelot  HUSBANDRY", "exact, new", at(3));
    await addArticle("Ocelot husbandry for all", "title, new", at(4));
    const expected = [
      "ocelot  HUSBANDRY",
      "Ocelot husbandry",
      "Ocelot husbandry for all",
      "Notes on husbandry and the ocelot",
      "A second text",
      "Something else",
    ];
    expect(await titles("ocelot husbandry")).toEqual(expected);
    // Pages of every size contain each result once, in the same order.
    for (const page_size of [1, 2, 4]) {
      const paged: string[] = [];
      let page_cursor: string | null = null;
      do {
        const page = await search("ocelot husbandry", { page_size, page_cursor });
        paged.push(...page.results.map(({ title }) => title));
        page_cursor = page.next;
      } while (page_cursor);
      expect(paged).toEqual(expected);
    }
  });

  test("items with the same time and id are on exactly one page", async () => {
    const same = { id: crypto.randomUUID(), created_at: "2026-02-02T00:00:00Z" };
    await addArticle("Twin tapir", "x", same);
    const link = { ...same, profile_id: other.id, title: "Twin tapir", url: "https://x.com", category: "x" };
    await rest.client(rest.keys.serviceKey).from("useful_links").insert(link).throwOnError();
    const first = await search("twin tapir", { page_size: 1 });
    const second = await search("twin tapir", { page_size: 1, page_cursor: first.next });
    expect([first.results[0]?.kind, second.results[0]?.kind, second.next]).toEqual([
      "articles",
      "useful_links",
      null,
    ]);
  });
});

describe("the texts that a search covers", () => {
  test("unpublished articles and people without a name are not found", async () => {
    await addArticle("Hidden axolotl", "x", { published: false });
    await addArticle("Visible axolotl", "x");
    expect(await titles("axolotl")).toEqual(["Visible axolotl"]);
    const nameless = await rest.signedIn();
    const profile = { company: "Axolotl Ltd", full_name: " " };
    await rest
      .client(rest.keys.serviceKey)
      .from("profiles")
      .update(profile)
      .eq("id", nameless.id)
      .throwOnError();
    expect((await search("axolotl")).counts).toMatchObject({ articles: 1, people: 0 });
    await rename(nameless, "Named Now");
    expect((await search("axolotl", { search_kind: "people" })).results[0]).toMatchObject({
      title: "Named Now",
      author: null,
    });
  });

  test("a link is found by its address, description and category, and a sample by its code, description and language", async () => {
    const admin = rest.client(rest.keys.serviceKey);
    const link = {
      title: "Aa",
      url: "https://pangolin.example/armadillo",
      description: "kinkajou",
      category: "mammals",
    };
    await admin
      .from("useful_links")
      .insert({ profile_id: writer.id, ...link })
      .throwOnError();
    const sample = { title: "Bb", code_content: "pangolin = 1", description: "quetzal", language: "python" };
    await admin
      .from("code_samples")
      .insert({ profile_id: writer.id, ...sample })
      .throwOnError();
    expect(await titles("pangolin armadillo mammals kinkajou")).toEqual(["Aa"]);
    expect(await titles("pangolin quetzal python")).toEqual(["Bb"]);
    const { counts, results } = await search("pangolin", { search_kind: "useful_links" });
    expect([counts, results.map(({ title }) => title)]).toEqual([
      { ...NO_ITEMS, people: 0, code_samples: 1, useful_links: 1 },
      ["Aa"],
    ]);
  });

  test("a person is found by a skill, which comes first among the skills that the result shows", async () => {
    await rename(other, "Skilled Person");
    const skills = ["Aardvarks", "Beekeeping", "Capybaras"].map((name) => ({
      profile_id: other.id,
      name,
      proficiency: name === "Capybaras" ? 1 : 5,
    }));
    await rest.client(other.token).from("skills").insert(skills).throwOnError();
    const [result] = (await search("skilled capybara")).results;
    expect(result?.person?.skills.map(({ name }) => name)).toEqual(["Capybaras", "Aardvarks", "Beekeeping"]);
  });

  test("no search, blanks and symbols alone have no results, and hostile texts no error", async () => {
    for (const text of [
      "",
      "  ",
      "->",
      '"',
      '""',
      "-",
      "!!",
      "&",
      "|",
      "\\",
      "'",
      ":*",
      "<->",
      "(",
      "a".repeat(10_000),
      "%s %1$s %",
    ])
      expect((await search(text)).results.length, text).toBeLessThan(21);
    expect((await search("a b c d e f g h i j k l m n o p q r s t u v w x y z".repeat(5))).results).toEqual(
      [],
    );
  });

  test.each([1, 59, 60, 1_799, 1_800, 1_860, 1_990, 2_000, 3_600, 3_666, 9_123, 19_800])(
    "the excerpt surrounds the first hit, with %i characters before it",
    async (before) => {
      // In one form, the folded text is longer than the text.
      for (const filler of ["數", "Œ"]) {
        const title = crypto.randomUUID();
        const text = `${filler.repeat(before - 1)} Qqhit`;
        const id = await addArticle(title, `${text} and ${"more ".repeat(2_000)}`);
        const [result] = (await search(`qqhit "${title}"`)).results;
        expect(result?.id).toBe(id);
        expect(result?.excerpt[1]).toBe("Qqhit");
        expect(text.endsWith(`${result?.excerpt[0]}Qqhit`)).toBe(true);
        expect(result?.excerpt[0]?.length).toBeGreaterThan(Math.min(before, 30) - 1);
        expect(result?.excerpt.join("").length).toBe(200);
      }
    },
  );

  test("the excerpt surrounds the first hit, and every second part of it is a hit", async () => {
    await addArticle(
      "Long",
      `${"Filler text. ".repeat(300)}Here is the Platypus! ${"More text. ".repeat(300)}`,
    );
    const [result] = (await search("platyp")).results;
    expect(result?.excerpt[1]).toBe("Platyp");
    expect(result?.excerpt[0]).toMatch(/Here is the $/);
    expect(result?.excerpt.join("").length).toBeLessThanOrEqual(200);
  });

  test("the title is in parts like the excerpt, whole, and with the hits in its first 200 characters", async () => {
    for (const [title, parts] of [
      ["Ein Wombat, der wombät", ["Ein ", "Wombat", ", der ", "wombät", ""]],
      ["Straße der Wombats", ["Straße der ", "Wombat", "s"]],
      [`${"Filler ".repeat(40)}wombat`, [`${"Filler ".repeat(40)}wombat`]],
    ] as const) {
      const id = await addArticle(title, "About a wombat");
      const found = (await search("wombat")).results.find((result) => result.id === id);
      expect(found?.title_parts).toEqual(parts);
      expect(found?.title).toBe(title);
    }
  });

  test("a text with 500,000 different characters or words can be saved and found", async () => {
    const characters = Array.from({ length: 500_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
    ).join("");
    const words = Array.from({ length: 80_000 }, (_, index) => `w${index.toString(36)}`)
      .join(" ")
      .slice(0, 499_000);
    for (const [title, content] of [
      ["Large narwhal one", characters],
      ["Large narwhal two", words],
      ["Large narwhal three", "x".repeat(500_000)],
    ])
      await rest.admin.query(
        "insert into public.articles (author_id, title, content, published) values ($1, $2, $3, true)",
        [writer.id, title, content],
      );
    expect(await titles("narwhal")).toHaveLength(3);
    expect(await titles("narwhal wzz")).toEqual(["Large narwhal two"]);
  }, 60_000);
});
