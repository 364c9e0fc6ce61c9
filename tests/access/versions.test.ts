// Tests the versions of changed and deleted items with unmodified supabase-js clients.
// See "Nothing is lost" in docs/contract.md.
import type { SupabaseClient } from "@supabase/supabase-js";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { articles } from "../../common/kinds/articles.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { type KindDefinition, renderedColumn } from "../../common/kinds/kind-definition.ts";
import { exampleRow } from "../support/example-rows.ts";
import { type Member, startTestRest } from "../support/rest.ts";

const rest = await startTestRest();
const ada = await rest.signedIn();
const eve = await rest.signedIn();
const asAda = rest.client(ada.token);
const asEve = rest.client(eve.token);
const asVisitor = rest.client();
const asOperator = rest.client(rest.keys.serviceKey);
afterAll(() => rest.stop());

type TestedKind = Pick<KindDefinition, "table" | "ownerColumn"> & { column: string };

/** Each kind, with the column that the tests change. */
const TESTED_KINDS = KINDS.map((kind) => ({ ...kind, column: textColumn(kind) }));
const ARTICLES = { ...articles, column: "content" };

function textColumn(kind: KindDefinition): string {
  const isText = (name: string) => name !== "title" && kind.columns[name]?.type === "text";
  const column = renderedColumn(kind) ?? Object.keys(kind.columns).find(isText);
  if (column === undefined) throw new Error(`${kind.table} has no text besides its title`);
  return column;
}

async function create(client: SupabaseClient, { id }: Member, kind: TestedKind, text: string) {
  const row = exampleRow(kind, id, { title: "Title", [kind.column]: text });
  return (await client.from(kind.table).insert(row).select().single().throwOnError()).data;
}

async function versionsOf(client: SupabaseClient, itemId: string) {
  const versions = client.from("versions").select("*").eq("item_id", itemId);
  return (await versions.order("replaced_at", { ascending: false }).throwOnError()).data ?? [];
}

const save = (client: SupabaseClient, id: string, content: string) =>
  client.from("articles").update({ content }).eq("id", id).throwOnError();

const countVersions = async (where = "true") =>
  Number((await rest.admin.query(`select count(*) from public.versions where ${where}`)).rows[0].count);

describe.each(TESTED_KINDS)("versions of rows of the table $table", (kind) => {
  const { table, ownerColumn, column } = kind;

  test(`updating and deleting a row of ${table} keeps its previous version, and creating it keeps none`, async () => {
    const created = await create(asAda, ada, kind, "first");
    expect(await versionsOf(asAda, created.id)).toEqual([]);

    const save = { ...created, [column]: "second" };
    const updated = (await asAda.from(table).upsert(save).select().single().throwOnError()).data;
    await asAda.from(table).delete().eq("id", created.id).throwOnError();
    expect(await versionsOf(asAda, created.id)).toMatchObject([
      { item: updated, item_table: table, title: "Title", is_deletion: true, profile_id: ada.id },
      { item: created, item_table: table, title: "Title", is_deletion: false, profile_id: ada.id },
    ]);
  });

  test(`a save that does not change a row of ${table} keeps no version`, async () => {
    const created = await create(asAda, ada, kind, "same");
    await asAda.from(table).upsert(created).throwOnError();
    expect(await versionsOf(asAda, created.id)).toEqual([]);
  });

  test(`the owner can insert a deleted row of ${table} again with its id and creation date, but another member cannot`, async () => {
    const row = exampleRow(kind, ada.id, { title: "Back again", [column]: "text" });
    const created_at = "2020-01-02T03:04:05.678901+00:00";
    const { data } = await asAda
      .from(table)
      .insert({ ...row, created_at })
      .select()
      .single()
      .throwOnError();
    const { id } = data;
    const deleted = (await asAda.from(table).delete().eq("id", id).select().single().throwOnError()).data;
    const restored = await asAda.from(table).insert(deleted).select().single().throwOnError();
    expect({ ...restored.data, updated_at: null }).toEqual({ ...deleted, updated_at: null });
    expect(restored.data.created_at).toBe(created_at);
    expect((await asEve.from(table).insert({ ...deleted, [ownerColumn]: eve.id })).error?.code).toBe("23505");
  });

  test(`an operator's change of a row of ${table} keeps no version, and an operator's deletion deletes all its versions`, async () => {
    const { id } = await create(asAda, ada, kind, "one");
    await asAda
      .from(table)
      .update({ [column]: "two" })
      .eq("id", id)
      .throwOnError();
    await asOperator
      .from(table)
      .update({ [column]: "moderated" })
      .eq("id", id)
      .throwOnError();
    expect(await versionsOf(asAda, id)).toHaveLength(1);
    await asOperator.from(table).delete().eq("id", id).throwOnError();
    expect(await countVersions(`item_id = '${id}'`)).toBe(0);
  });

  test(`removing a member deletes the versions of their rows of ${table}`, async () => {
    const removed = await rest.signedIn();
    const client = rest.client(removed.token);
    const { id } = await create(client, removed, kind, "one");
    await create(client, removed, kind, "stays until the account is removed");
    await client
      .from(table)
      .update({ [column]: "two" })
      .eq("id", id)
      .throwOnError();
    await rest.admin.query("delete from auth.users where id = $1", [removed.id]);
    expect(await countVersions(`profile_id = '${removed.id}'`)).toBe(0);
    expect(await countVersions(`item_id = '${id}'`)).toBe(0);
  });
});

describe("one id that two members use", () => {
  test("an id that appears in another member's versions cannot be inserted into any table, but an own one can", async () => {
    const { id } = await create(asAda, ada, ARTICLES, "one");
    const deleted = (await asAda.from("articles").delete().eq("id", id).select().single().throwOnError())
      .data;
    for (const kind of TESTED_KINDS) {
      const row = exampleRow(kind, eve.id, { id, title: "Taken" });
      const taken = await asEve.from(kind.table).insert(row);
      expect([taken.status, taken.error?.code]).toEqual([409, "23505"]);
      const ignored = await asEve.from(kind.table).upsert(row);
      expect([ignored.status, ignored.error?.code]).toEqual([409, "23505"]);
    }
    await asAda.from("articles").insert(deleted).throwOnError();
    await asAda
      .from("useful_links")
      .insert({ id, profile_id: ada.id, title: "x", url: "https://x.com", category: "x" })
      .throwOnError();
  });

  test("a link with the id of another member's article displaces none of the article's versions, and removing it leaves them", async () => {
    const { id } = await create(asAda, ada, ARTICLES, "0");
    const link = { id, profile_id: eve.id, title: "Spam", url: "https://example.com", category: "x" };
    await asEve.from("useful_links").insert(link).throwOnError();
    for (const text of ["1", "2"]) await save(asAda, id, text);
    for (let index = 0; index < 55; index++)
      await asEve
        .from("useful_links")
        .upsert({ ...link, title: `Spam ${index}` })
        .throwOnError();
    expect(await countVersions(`item_id = '${id}' and profile_id = '${eve.id}'`)).toBe(50);
    expect((await versionsOf(asAda, id)).map(({ item }) => item.content)).toEqual(["1", "0"]);
    await asOperator.from("useful_links").delete().eq("id", id).throwOnError();
    expect(await countVersions(`item_id = '${id}' and profile_id = '${eve.id}'`)).toBe(0);
    expect(await versionsOf(asAda, id)).toHaveLength(2);
    // Ada can still undo a deletion.
    const gone = (await asAda.from("articles").delete().eq("id", id).select().single().throwOnError()).data;
    await asAda.from("articles").insert(gone).throwOnError();
  });
});

describe("access to the versions of an item", () => {
  test("members can read only their own versions, and visitors none", async () => {
    const { id } = await create(asAda, ada, ARTICLES, "private once");
    await asAda.from("articles").update({ content: "public" }).eq("id", id).throwOnError();
    expect(await versionsOf(asAda, id)).toHaveLength(1);
    expect(await versionsOf(asEve, id)).toEqual([]);
    expect((await asEve.from("versions").select("*").eq("profile_id", ada.id)).data).toEqual([]);
    expect((await asEve.from("versions").select("*,profiles(id)")).data).toEqual([]);
    expect((await asVisitor.from("versions").select("*")).error?.code).toBe("42501");
    expect((await asVisitor.from("profiles").select("id,versions(id)")).error?.code).toBe("42501");
  });

  test("no client can insert or change versions, even with the service key, and members and visitors cannot delete them", async () => {
    const { id } = await create(asAda, ada, ARTICLES, "one");
    await asAda.from("articles").update({ content: "two" }).eq("id", id).throwOnError();
    const [version] = await versionsOf(asAda, id);
    const copy = { ...version, id: crypto.randomUUID() };
    for (const client of [asAda, asEve, asVisitor]) {
      const writes = [
        client.from("versions").insert(copy),
        client.from("versions").upsert({ ...version, title: "forged" }),
        client.from("versions").update({ title: "forged" }).eq("id", version.id),
        client.from("versions").delete().eq("id", version.id),
      ];
      for (const write of writes) expect((await write).error?.code).toBe("42501");
    }
    expect((await asOperator.from("versions").insert(copy)).error?.code).toBe("42501");
    expect((await asOperator.from("versions").update({ title: "x" }).eq("id", version.id)).error?.code).toBe(
      "42501",
    );
    expect(await versionsOf(asAda, id)).toEqual([version]);
  });
});

describe("limits on the number, age and total size of versions", () => {
  test("only the 50 newest versions of an item are kept", async () => {
    const { id } = await create(asAda, ada, ARTICLES, "0");
    for (let index = 1; index <= 53; index++) {
      await asAda
        .from("articles")
        .update({ content: String(index) })
        .eq("id", id)
        .throwOnError();
    }
    const texts = (await versionsOf(asAda, id)).map(({ item }) => item.content);
    expect(texts).toEqual(Array.from({ length: 50 }, (_, index) => String(52 - index)));
  });

  test("a version older than 90 days is hidden immediately, and another member's next save deletes it", async () => {
    const { id } = await create(asAda, ada, ARTICLES, "old");
    await asAda.from("articles").update({ content: "new" }).eq("id", id).throwOnError();
    const makeOld = `update public.versions set replaced_at = now() - interval '91 days' where item_id = '${id}'`;
    await rest.admin.query(makeOld);
    expect(await versionsOf(asAda, id)).toEqual([]);
    expect(await countVersions(`item_id = '${id}'`)).toBe(1);
    const { id: other } = await create(asEve, eve, ARTICLES, "one");
    await save(asEve, other, "two");
    expect(await countVersions(`item_id = '${id}'`)).toBe(0);
  });

  /** Adds versions of 1 MiB each, the first one as the oldest. */
  async function addLargeVersions(
    writer: Member,
    versions: { item: string; title: string; deleted?: boolean }[],
  ) {
    await rest.admin.query(
      `insert into public.versions (profile_id, item_table, item_id, title, item, is_deletion, size, replaced_at)
       select $1, 'articles', md5(item)::uuid, title, '{}', coalesce(deleted, false), 1024 * 1024,
         now() - interval '1 hour' + number * interval '1 second'
       from rows from (json_to_recordset($2) as (item text, title text, deleted boolean)) with ordinality
         as v (item, title, deleted, number)`,
      [writer.id, JSON.stringify(versions)],
    );
  }

  const titlesOf = async ({ id }: Member) => {
    const sql =
      "select title from public.versions where profile_id = $1 and title <> 'Title' order by replaced_at";
    return (await rest.admin.query(sql, [id])).rows.map(({ title }) => title);
  };
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);

  test("a save that exceeds the member's 100 MB removes the oldest version of the item with the most versions", async () => {
    const writer = await rest.signedIn();
    const client = rest.client(writer.token);
    await addLargeVersions(writer, [
      ...numbers(1, 70).map((number) => ({ item: `rare ${number}`, title: `rare ${number}` })),
      ...numbers(1, 30).map((number) => ({ item: "often", title: `often ${number}` })),
    ]);
    const { id } = await create(client, writer, ARTICLES, "small");
    expect(await titlesOf(writer)).toHaveLength(100);
    await save(client, id, "saved");
    const expected = [
      ...numbers(1, 70).map((number) => `rare ${number}`),
      ...numbers(2, 30).map((number) => `often ${number}`),
    ];
    expect(await titlesOf(writer)).toEqual(expected);
    expect(await versionsOf(client, id)).toHaveLength(1);
  });

  test("the last versions of items deleted in the last 30 days are removed last, the earliest deletion first", async () => {
    const writer = await rest.signedIn();
    const client = rest.client(writer.token);
    await addLargeVersions(writer, [
      ...numbers(1, 98).map((number) => ({ item: `gone ${number}`, title: `gone ${number}`, deleted: true })),
      { item: "kept", title: "kept 1" },
      { item: "kept", title: "kept 2" },
    ]);
    await rest.admin.query(
      "update public.versions set replaced_at = now() - interval '31 days' where profile_id = $1 and title = 'gone 98'",
      [writer.id],
    );
    const { id } = await create(client, writer, ARTICLES, "small");
    const large = "x".repeat(490_000);
    // Each pair of saves keeps almost 1 MB of versions of the saved article, which then has the most versions.
    await save(client, id, "first");
    expect(await titlesOf(writer)).not.toContain("kept 1");
    await addLargeVersions(writer, [{ item: "more", title: "more", deleted: true }]);
    expect(await titlesOf(writer)).not.toContain("gone 98");
    await addLargeVersions(writer, [{ item: "another", title: "another", deleted: true }]);
    expect(await titlesOf(writer)).not.toContain("kept 2");
    await addLargeVersions(
      writer,
      numbers(1, 2).map((number) => ({ item: `new ${number}`, title: `new ${number}`, deleted: true })),
    );
    expect((await titlesOf(writer)).slice(0, 2)).not.toContain("gone 1");
    await save(client, id, large);
    expect(await titlesOf(writer)).toContain("gone 97");
  });

  test("deleting items never fails because of the limit on versions", async () => {
    const writer = await rest.signedIn();
    const client = rest.client(writer.token);
    await addLargeVersions(
      writer,
      numbers(1, 99).map((number) => ({ item: `gone ${number}`, title: `gone ${number}`, deleted: true })),
    );
    const rows = numbers(1, 4).map(() => ({
      author_id: writer.id,
      title: "Large",
      content: "x".repeat(490_000),
    }));
    await client.from("articles").insert(rows.slice(0, 2)).throwOnError();
    await client.from("articles").insert(rows.slice(2)).throwOnError();
    await client.from("articles").delete().eq("author_id", writer.id).throwOnError();
    expect(
      (await client.from("versions").select("id").eq("title", "Large").throwOnError()).data,
    ).toHaveLength(4);
    expect(await countVersions(`profile_id = '${writer.id}'`)).toBeLessThanOrEqual(102);
  });

  test("no version is removed while a member's versions take less than 100 MB, and the stored sum matches them", async () => {
    const { rows } = await rest.admin.query(
      `select u.profile_id from private.storage_use u
       where version_bytes <> (select coalesce(sum(size), 0) from public.versions v where v.profile_id = u.profile_id)`,
    );
    expect(rows).toEqual([]);
  });

  test("a statement that changes or deletes 200 rows keeps a version of each", async () => {
    const writer = await rest.signedIn();
    const client = rest.client(writer.token);
    const rows = Array.from({ length: 200 }, () => ({ author_id: writer.id, title: "Many", content: "x" }));
    await client.from("articles").insert(rows).throwOnError();
    await client.from("articles").update({ content: "y" }).eq("author_id", writer.id).throwOnError();
    await client.from("articles").delete().eq("author_id", writer.id).throwOnError();
    expect(await countVersions(`profile_id = '${writer.id}'`)).toBe(400);
  });
});

test("after random saves, deletions and restorations in two tabs, everything that they saved is either current or among the versions", async () => {
  type Row = Record<string, unknown> & { id: string; content: string };
  const action = fc.record({
    tab: fc.nat(1),
    item: fc.nat(2),
    operation: fc.constantFrom("save", "save", "delete", "undo", "restore"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 25 }), async (actions) => {
      const writer = await rest.signedIn();
      const tabs = [rest.client(writer.token), rest.client(writer.token)];
      const ids = [0, 1, 2].map(() => crypto.randomUUID());
      const deleted = new Map<string, Row>();
      const saved = new Set<string>();

      for (const [index, { tab, item, operation }] of actions.entries()) {
        const [client, id] = [tabs[tab] as SupabaseClient, ids[item] as string];
        const key = `${tab}.${id}`;
        if (operation === "save") {
          const content = `text ${index}`;
          const row = { id, author_id: writer.id, title: "Mine", content };
          await client.from("articles").upsert(row).throwOnError();
          saved.add(content);
        } else if (operation === "delete") {
          const { data } = await client.from("articles").delete().eq("id", id).select().throwOnError();
          if (data?.[0]) deleted.set(key, data[0]);
        } else {
          const version = (await versionsOf(client, id)).find(({ is_deletion }) => is_deletion);
          const row = operation === "undo" ? deleted.get(key) : version?.item;
          if (!row) continue;
          const { error } = await client.from("articles").insert(row);
          expect([undefined, "23505"]).toContain(error?.code);
          deleted.delete(key);
        }
      }

      const { data } = await asVisitor.from("articles").select("content").in("id", ids).throwOnError();
      const versions = await Promise.all(ids.map((id) => versionsOf(tabs[0] as SupabaseClient, id)));
      const known = new Set(
        [...data, ...versions.flat().map(({ item }) => item)].map(({ content }) => content),
      );
      expect([...saved].filter((text) => !known.has(text))).toEqual([]);
    }),
    { numRuns: 25 },
  );
});
