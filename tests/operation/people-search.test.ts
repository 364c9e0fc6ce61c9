import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { loadPeople, PEOPLE_PAGE_SIZE } from "../../app/people/directory/load-people.server.ts";
import { formatPeopleSearch, type PeopleSearch } from "../../app/people/directory/people-search.ts";
import { searchPeople } from "../../common/data/people-reads.ts";
import type { PageServices } from "../../common/page-services.ts";
import { NO_ITEMS } from "../support/example-rows.ts";
import { startTestRest } from "../support/rest.ts";

/** Characters that are special in patterns, quoting, case mapping or normalization. */
const PIECES = [
  "a", "A", "ab", " ", "%", "_", "\\", "\\%", "*", '"', "'", "(", ",", "é", "e\u0301", "ß", "i", "İ", "σ", "ς", "Σ",
  "😀", "\n", "\t", "null", "Python", "terraform", "\u00a0", "日本語", "한국", "\u1112\u1161\u11AB", "$1", "%L",
]; // biome-ignore format: a table
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 4 }).map((pieces) => pieces.join(""));
const CATEGORIES = ["python", "sql", "aws", "tools"] as const;
const skill = fc.record({ name: text, category: fc.constantFrom(...CATEGORIES) });
const profile = fc.record({
  username: fc.option(text),
  full_name: fc.option(text),
  current_title: fc.option(text),
  company: fc.option(text),
  years_experience: fc.option(fc.integer({ min: 0, max: 40 })),
  featured_skills: fc.array(text, { maxLength: 2 }),
  skills: fc.array(skill, { maxLength: 10 }),
});
type Sample = typeof profile extends fc.Arbitrary<infer Value> ? Value : never;

const rest = await startTestRest();
afterAll(() => rest.stop());
const data = rest.reader;
const context: PageServices = {
  site: {
    title: "",
    url: "",
    backend: { url: "", key: "" },
    signIn: { password: true, passkeys: false, providers: [] },
    footerLinks: [],
  },
  data,
  render: async () => [],
  logFailure: (_event, error) => {
    throw error;
  },
};

const people = new Map<string, Sample>();
for (const sample of fc.sample(profile, { numRuns: 300, seed: 1 })) await addPerson(sample);

async function addPerson({ skills, ...fields }: Sample): Promise<string> {
  const { id } = await rest.signedIn();
  await rest.admin.query(
    `update public.profiles set (username, full_name, current_title, company, years_experience, featured_skills) =
       ($2, $3, $4, $5, $6, $7) where id = $1`,
    [id, ...Object.values(fields)],
  );
  await rest.admin.query(
    `insert into public.skills (profile_id, name, category)
     select $1, name, category from json_to_recordset($2) as s (name text, category text)`,
    [id, JSON.stringify(skills)],
  );
  people.set(id, { skills, ...fields });
  return id;
}

const fold = (value: string) =>
  value.normalize("NFC").replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
const nameOf = ({ full_name, username }: Sample) => full_name?.trim() || username?.trim() || "";

/** Removes the marks in `PIECES` that only punctuate a word, unless it has nothing else. */
function bareWord(word: string): string {
  const bare = word.replace(/^[("',]+(?=.)/, "").replace(/[,"']+$/, "");
  return /[^!-/:-@[-`{-~]/.test(bare) ? bare : word;
}
/** A single mark counts only if the search has nothing else. */
const counts = (word: string) => word.length > 1 || /[^!-/:-@[-`{-~]/.test(word);

/** Searches in JavaScript by the rules in docs/contract.md, "Finding people". Sorts the ids only by experience. */
function expectedIds({ text, category, sort }: PeopleSearch): string[] {
  const written = fold(text).split(/\s+/).filter(Boolean);
  const words = written
    .map(bareWord)
    .flatMap((word) => (/^[\p{L}\p{N}]+(,\p{L}[\p{L}\p{N}]*)+$/u.test(word) ? word.split(",") : word))
    .filter((word, _index, all) => counts(word) || !all.some(counts));
  const matches = ([, person]: [string, Sample]) => {
    const fields = [person.full_name, person.username, person.current_title, person.company];
    const searched = [...fields, ...person.featured_skills, ...person.skills.map(({ name }) => name)];
    return (
      nameOf(person) !== "" &&
      words.every((word) => searched.some((field) => fold(field ?? "").includes(word))) &&
      (category === "" || person.skills.some((skill) => skill.category === category))
    );
  };
  const matching = [...people].filter(matches);
  if (sort === "experience")
    matching.sort(
      ([a, { years_experience: x }], [b, { years_experience: y }]) =>
        (y ?? -1) - (x ?? -1) || (a < b ? -1 : 1),
    );
  return matching.map(([id]) => id);
}

async function load(search: PeopleSearch, others: Record<string, string | null> = {}) {
  const query = new URLSearchParams(formatPeopleSearch(search));
  for (const [name, value] of Object.entries(others)) if (value) query.set(name, value);
  const { list } = await loadPeople(query, context);
  if (!list) throw new Error("the list could not be loaded");
  return { ...list, ids: list.cards.map(({ id }) => id) };
}

async function loadAll(search: PeopleSearch): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof load>> = await load(search, { after });
    ids.push(...page.ids);
    after = page.next;
  } while (after);
  return ids;
}

const EVERYONE: PeopleSearch = { text: "", category: "", sort: "experience" };

describe("the directory of 300 people", () => {
  test("random searches find exactly the people with every word in their fields", async () => {
    const search = fc.record({
      text: text.map((value) => value.trim()),
      category: fc.constantFrom("" as const, ...CATEGORIES),
      sort: fc.constant("experience" as const),
    });
    await fc.assert(
      fc.asyncProperty(search, async (wanted) => {
        expect((await load(wanted)).ids).toEqual(expectedIds(wanted).slice(0, PEOPLE_PAGE_SIZE));
      }),
      { numRuns: 300 },
    );
  }, 120_000);

  test.each(["experience", "name"] as const)(
    "paging through the directory by %s lists everyone who has a name exactly once",
    async (sort) => {
      const ids = await loadAll({ ...EVERYONE, sort });
      expect(ids).toHaveLength(new Set(ids).size);
      expect(new Set(ids)).toEqual(new Set(expectedIds(EVERYONE)));
      if (sort === "experience") expect(ids).toEqual(expectedIds(EVERYONE));
    },
  );

  test.each([
    "?sort=sideways",
    "?category=cobol",
    "?after=x",
    "?after=~",
    "?after=a~b",
    "?q=%00",
    "?q=%20%20",
  ])("/people%s, an invalid or blank query, shows the first page of all people", async (query) => {
    const { list } = await loadPeople(new URLSearchParams(query), context);
    expect(list?.cards.map(({ id }) => id)).toEqual(expectedIds(EVERYONE).slice(0, PEOPLE_PAGE_SIZE));
  });

  test("a directory search with thousands of characters finds no one", async () => {
    expect((await load({ ...EVERYONE, text: "é😀".repeat(4_000) })).ids).toEqual([]);
  });
});

describe("a person's entry in the directory", () => {
  const find = async (text: string) =>
    (await searchPeople(data, { ...EVERYONE, text, cursor: null, size: 5 })) ?? [];
  const ada: Sample = {
    username: "ada",
    full_name: "Ada Ämtönen",
    current_title: "Data Engineer",
    company: "Analytical Engines",
    years_experience: 12,
    featured_skills: ["Jacquard looms"],
    skills: [],
  };

  test("a directory search reflects changes to a person's names, company and skills", async () => {
    const id = await addPerson(ada);
    expect((await find("ämtönen engineer looms")).map((person) => person.id)).toEqual([id]);
    expect(await find("bernoulli")).toEqual([]);

    const { admin } = rest;
    await admin.query(
      "insert into public.skills (profile_id, name, category) values ($1, 'Bernoulli', 'sql')",
      [id],
    );
    expect((await find("BERNOULLI engines"))[0]?.skills[0]?.name).toBe("Bernoulli");
    await admin.query("update public.skills set name = 'Fourier' where profile_id = $1", [id]);
    expect([await find("bernoulli"), (await find("fourier")).length]).toEqual([[], 1]);
    await admin.query("delete from public.skills where profile_id = $1", [id]);
    expect(await find("fourier")).toEqual([]);
    await admin.query("update public.profiles set company = 'Elsewhere' where id = $1", [id]);
    expect([await find("analytical looms"), (await find("elsewhere looms")).length]).toEqual([[], 1]);
    await admin.query("update public.profiles set full_name = ' ', username = null where id = $1", [id]);
    expect(await find("looms")).toEqual([]);
    await admin.query("delete from auth.users where id = $1", [id]);
    people.delete(id);
  });

  test("a directory search follows a skill that the service key moves to another person", async () => {
    const [ada, grace] = [await rest.signedIn(), await rest.signedIn()];
    for (const { id } of [ada, grace]) {
      await rest.admin.query("update public.profiles set full_name = 'Mover ' || id where id = $1", [id]);
    }
    const service = rest.client(rest.keys.serviceKey);
    const skill = { profile_id: ada.id, category: "sql", name: "Movable Qx9", proficiency: 3 };
    const { data } = await service.from("skills").insert(skill).select("id").single().throwOnError();
    const findMovable = async () => {
      const found = await rest.client().rpc("search_people", { search_text: "movable qx9" }).throwOnError();
      return found.data.map((person: { id: string }) => person.id);
    };
    expect(await findMovable()).toEqual([ada.id]);
    await service.from("skills").update({ profile_id: grace.id }).eq("id", data.id).throwOnError();
    expect(await findMovable()).toEqual([grace.id]);
  });

  test("a directory entry shows eight skills, matching ones first, and counts only published articles", async () => {
    const names = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine zebra"];
    const id = await addPerson({ ...ada, skills: names.map((name) => ({ name, category: "tools" })) });
    await rest.admin.query(
      `insert into public.articles (author_id, title, content, published)
       values ($1, 'Draft', 'x', false), ($1, 'Public', 'x', true)`,
      [id],
    );
    const [person] = await find("ZEBRA jacquard");
    expect(person?.skills).toHaveLength(8);
    expect(person?.skills[0]).toEqual({ category: "tools", name: "Nine zebra", proficiency: 3 });
    expect(person?.published).toEqual({ ...NO_ITEMS, articles: 1 });
    expect(person?.slug).toBe("ada");
  });

  test("a directory search finds both skills that two concurrent transactions added", async () => {
    const id = await addPerson({ ...ada, username: "both" });
    const add = (name: string) =>
      rest.admin.query("insert into public.skills (profile_id, name, category) values ($1, $2, 'sql')", [
        id,
        name,
      ]);
    const other = await rest.admin.connect();
    try {
      await other.query("begin");
      await other.query(
        "insert into public.skills (profile_id, name, category) values ($1, 'Xylem', 'sql')",
        [id],
      );
      const waiting = add("Phloem");
      await new Promise((resolve) => setTimeout(resolve, 200));
      await other.query("commit");
      await waiting;
    } finally {
      other.release();
    }
    expect((await find("xylem phloem")).map((person) => person.id)).toEqual([id]);
  });
});
