import { expect, test } from "vitest";
import type { ListedMember } from "../../common/data/operators.ts";
import { createAdminClient } from "./admin-client.ts";
import {
  allMembers,
  endOfSuspension,
  findMember,
  findMemberById,
  listMembers,
  resolveMember,
} from "./members.ts";
import { allPictures, listPictures, removePictures } from "./pictures.ts";

const ID = "3d6785ad-147e-40bd-ab59-cd3aeb847502";

interface Sent {
  path: string;
  body: unknown;
}

/** A site that returns the given responses, one after the other, and then no rows. */
function siteWith(...responses: unknown[]) {
  const sent: Sent[] = [];
  const client = createAdminClient({
    url: "http://site.test",
    serviceKey: "",
    ifUnreachable: "",
    ifKeyRejected: "",
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const url = new URL(request.url);
      const body = await request.text();
      sent.push({
        path: decodeURIComponent(url.pathname + url.search),
        body: body === "" ? undefined : JSON.parse(body),
      });
      return Response.json(responses.shift() ?? []);
    },
  });
  return { client, sent, bodies: () => sent.map(({ body }) => body) };
}

const member = (number: number, more: object = {}) =>
  ({
    id: ID,
    created_at: `2026-01-0${number}`,
    last_sign_in_at: `2026-02-0${number}`,
    storage: number,
    ...more,
  }) as ListedMember;

test("members are listed newest first, and the next page begins after the last one's values in that order", async () => {
  const { client, bodies } = siteWith();
  await listMembers(client, { size: 5 });
  await listMembers(client, { size: 5, search: "ada", state: "active", sort: "-sign-in", cursor: member(1) });
  await listMembers(client, { size: 5, sort: "storage", cursor: member(2) });
  await listMembers(client, { size: 5, sort: "sign-in", cursor: member(3, { last_sign_in_at: null }) });
  const none = { search_text: "", wanted_state: "", page_size: 5 };
  const cursor = (number: number) => ({ cursor_bytes: number, cursor_id: ID });
  expect(bodies()).toEqual([
    { ...none, sorted_by: "created", is_ascending: false },
    {
      ...cursor(1),
      search_text: "ada",
      wanted_state: "active",
      sorted_by: "sign-in",
      is_ascending: true,
      page_size: 5,
      cursor_time: "2026-02-01",
    },
    { ...none, ...cursor(2), sorted_by: "storage", is_ascending: false, cursor_time: "2026-01-02" },
    { ...none, ...cursor(3), sorted_by: "sign-in", is_ascending: false },
  ]);
});

test("all members are read in pages of at most 2,000, each after the last one of the previous", async () => {
  const { client, bodies } = siteWith([member(1), member(2)], [member(3)]);
  expect(await allMembers(client, { state: "active", cursor: member(9) })).toHaveLength(3);
  expect(bodies()).toMatchObject([
    { page_size: 2_000, wanted_state: "active", cursor_bytes: 9 },
    { page_size: 2_000, cursor_bytes: 2 },
    { page_size: 2_000, cursor_bytes: 3 },
  ]);
});

test.each([
  [ID, "/rest/v1/rpc/sort_members"],
  [`@${ID}`, "/rest/v1/rpc/sort_members"],
  ["Ada@Example.com", "/rest/v1/rpc/list_members"],
  [
    "ada",
    "/rest/v1/profiles?select=id&username=eq.ada&order=username_since.asc,created_at.asc,id.asc&limit=1",
  ],
  [
    "@ada",
    "/rest/v1/profiles?select=id&username=eq.ada&order=username_since.asc,created_at.asc,id.asc&limit=1",
  ],
])("the member named %s is looked up at %s", async (name, path) => {
  const { client, sent } = siteWith([member(1)], [member(1)]);
  expect(await resolveMember(client, name)).toEqual(member(1));
  expect(sent[0]?.path).toBe(path);
});

test("an email address is looked up in lower case, and unknown names are errors", async () => {
  const { client, bodies } = siteWith();
  await expect(resolveMember(client, "Ada@Example.com")).rejects.toThrow(
    "no member with the email address ada@example.com",
  );
  expect(bodies()).toEqual([{ wanted_email: "ada@example.com" }]);
  await expect(resolveMember(client, "@ada")).rejects.toThrow("no member with the username ada");
  await expect(resolveMember(client, ID)).rejects.toThrow(`no member with the ID ${ID}`);
  await expect(findMember(client, "a@b.example")).rejects.toThrow("npm run member -- list shows all members");
});

test("a search for an id that finds another member isn't a match, and the id's case doesn't matter", async () => {
  const { client, sent } = siteWith([member(1)], [member(1, { id: "other" })]);
  expect(await findMemberById(client, ID.toUpperCase())).toEqual(member(1));
  await expect(findMemberById(client, ID)).rejects.toThrow("no member with the ID");
  await expect(findMemberById(client, "1")).rejects.toThrow("no member with the ID 1");
  expect(sent).toHaveLength(2);
});

test("a suspension of 100 years has no end", () => {
  const inYears = (years: number) => new Date(Date.now() + years * 365 * 24 * 3_600_000).toISOString();
  expect(endOfSuspension(member(1, { suspended_until: null }))).toBeNull();
  expect(endOfSuspension(member(1, { suspended_until: inYears(100) }))).toBeNull();
  const end = inYears(49);
  expect(endOfSuspension(member(1, { suspended_until: end }))).toBe(end);
});

test("pictures are listed by owner or text, and the next page begins after the last one", async () => {
  const { client, bodies } = siteWith();
  await listPictures(client, { size: 5 });
  await listPictures(client, {
    size: 5,
    search: "plan",
    owner: ID,
    cursor: { created_at: "2026-01-01", path: "x" },
  });
  expect(bodies()).toEqual([
    { search_text: "", page_size: 5 },
    { search_text: "plan", page_size: 5, wanted_owner: ID, cursor_time: "2026-01-01", cursor_path: "x" },
  ]);
});

test("all pictures are read until a page isn't full", async () => {
  const page = (length: number) =>
    Array.from({ length }, (_, index) => ({ path: String(index), created_at: "2026-01-01" }));
  const { client, bodies } = siteWith(page(1_000), page(999));
  expect(await allPictures(client, { owner: ID })).toHaveLength(1_999);
  expect(bodies()).toMatchObject([{ page_size: 1_000 }, { page_size: 1_000, cursor_path: "999" }]);
});

test("pictures are removed by the thousand, and those that existed are named", async () => {
  const paths = Array.from({ length: 1_001 }, (_, index) => `picture-${index}`);
  const { client, bodies } = siteWith([{ name: "picture-0" }], [{ name: "picture-1000" }]);
  expect(await removePictures(client, paths)).toEqual(["picture-0", "picture-1000"]);
  expect(bodies()).toEqual([{ prefixes: paths.slice(0, 1_000) }, { prefixes: ["picture-1000"] }]);
  expect(await removePictures(client, [])).toEqual([]);
  expect(bodies()).toHaveLength(2);
});
