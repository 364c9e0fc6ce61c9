// Tests what one member may store with unmodified supabase-js clients. See "Limits" in docs/contract.md.
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Member, startTestRest } from "../support/rest.ts";

const rest = await startTestRest();
afterAll(() => rest.stop());

const MEGABYTE = 1024 * 1024;
const TOO_MUCH = { status: 413, error: { code: "PT413" } };

let writer: Member;
let client: SupabaseClient;
beforeEach(async () => {
  writer = await rest.signedIn();
  client = rest.client(writer.token);
});

/** Sets what the member stores to `free` bytes less than the limit. */
const leave = (free: number) =>
  rest.admin.query(
    "update private.storage_use set row_bytes = private.max_bytes_of_rows() - $2 where profile_id = $1",
    [writer.id, free],
  );
const article = (content: string, more: object = {}) => ({
  author_id: writer.id,
  title: "T",
  content,
  ...more,
});
const storedBytes = async () =>
  Number(
    (await rest.admin.query("select row_bytes from private.storage_use where profile_id = $1", [writer.id]))
      .rows[0]?.row_bytes,
  );

describe("the bytes of a member's rows", () => {
  test("each row counts its texts in UTF-8, and at least 1,000 bytes", async () => {
    const empty = await storedBytes();
    await client.from("articles").insert(article("short")).throwOnError();
    expect(await storedBytes()).toBe(empty + 1_000);
    await client
      .from("articles")
      .insert(article("é".repeat(2_000)))
      .throwOnError();
    expect(await storedBytes()).toBe(empty + 1_000 + 4_001);
    await client
      .from("articles")
      .update({ content: "é".repeat(3_000) })
      .neq("content", "short")
      .eq("author_id", writer.id)
      .throwOnError();
    expect(await storedBytes()).toBe(empty + 1_000 + 6_001);
    await client.from("articles").delete().eq("author_id", writer.id).throwOnError();
    expect(await storedBytes()).toBe(empty);
  });

  test("a save that would exceed 100 MB is rejected in every table, and stores nothing", async () => {
    const links = { profile_id: writer.id, title: "T", url: "https://x.com", category: "c" };
    const { data: link } = await client.from("useful_links").insert(links).select().single().throwOnError();
    await leave(999);
    expect(await client.from("articles").insert(article("x"))).toMatchObject(TOO_MUCH);
    expect(
      await client.from("useful_links").upsert({ ...link, description: "x".repeat(3_000) }),
    ).toMatchObject(TOO_MUCH);
    expect(await client.from("skills").insert({ profile_id: writer.id, name: "x" })).toMatchObject(TOO_MUCH);
    expect(
      await client
        .from("profiles")
        .update({ bio: "x".repeat(2_000) })
        .eq("id", writer.id),
    ).toMatchObject(TOO_MUCH);
    expect((await client.from("articles").select("id").eq("author_id", writer.id)).data).toEqual([]);
    await leave(1_000);
    expect((await client.from("articles").insert(article("x"))).error).toBeNull();
  });

  test("deletions and saves that make a row smaller or keep its size are never rejected", async () => {
    const { data } = await client
      .from("articles")
      .insert([article("x".repeat(5_000)), article("y")])
      .select()
      .throwOnError();
    await leave(-MEGABYTE);
    const [large, small] = data ?? [];
    expect((await client.from("articles").upsert({ ...large, content: "y".repeat(5_000) })).error).toBeNull();
    expect((await client.from("articles").upsert({ ...large, content: "x" })).error).toBeNull();
    expect((await client.from("articles").upsert({ ...large, content: "x".repeat(1_500) })).status).toBe(413);
    expect((await client.from("articles").delete().eq("id", small.id)).error).toBeNull();
  });

  test("two saves at the same time cannot exceed 100 MB together", async () => {
    await leave(1_500);
    const saves = await Promise.all(
      [1, 2, 3, 4].map((number) => client.from("articles").insert(article(`${number}`))),
    );
    expect(saves.map(({ status }) => status).sort()).toEqual([201, 413, 413, 413]);
    expect(await storedBytes()).toBe(100 * MEGABYTE - 500);
  });

  test("the service key may exceed a member's limit, and its writes count", async () => {
    await leave(0);
    await rest.client(rest.keys.serviceKey).from("articles").insert(article("x")).throwOnError();
    expect(await storedBytes()).toBe(100 * MEGABYTE + 1_000);
  });

  test("a row that the service key gives to another member counts for that member", async () => {
    const { data } = await client.from("articles").insert(article("x")).select().single().throwOnError();
    const before = await storedBytes();
    const other = await rest.signedIn();
    await rest
      .client(rest.keys.serviceKey)
      .from("articles")
      .update({ author_id: other.id })
      .eq("id", data.id)
      .throwOnError();
    expect(await storedBytes()).toBe(before - 1_000);
  });

  test("the first save after a restore without triggers measures everything that the member stores", async () => {
    await client
      .from("articles")
      .insert(article("x".repeat(5_000)))
      .throwOnError();
    const before = await storedBytes();
    await rest.admin.query("delete from private.storage_use where profile_id = $1", [writer.id]);
    await client.from("articles").insert(article("y")).throwOnError();
    expect(await storedBytes()).toBe(before + 1_000);
  });
});

describe("the number of a member's skills", () => {
  const skills = (count: number) =>
    Array.from({ length: count }, (_, number) => ({ profile_id: writer.id, name: `${number}` }));

  test("a member can have 200 skills, and change and replace them", async () => {
    await client.from("skills").insert(skills(200)).throwOnError();
    expect(await client.from("skills").insert(skills(1))).toMatchObject(TOO_MUCH);
    await client.from("skills").update({ proficiency: 5 }).eq("profile_id", writer.id).throwOnError();
    await client.from("skills").delete().eq("name", "7").eq("profile_id", writer.id).throwOnError();
    await client.from("skills").insert(skills(1)).throwOnError();
  });

  test("two requests at the same time cannot add more than 200 skills together", async () => {
    await client.from("skills").insert(skills(199)).throwOnError();
    const saves = await Promise.all([1, 2, 3].map(() => client.from("skills").insert(skills(1))));
    expect(saves.map(({ status }) => status).sort()).toEqual([201, 413, 413]);
  });
});
