// Tests the limits of a single request: the rows that it changes, the number of its filters, the columns that
// it selects twice, and the size of its response.
import { afterAll, expect, test } from "vitest";
import { startTestRest } from "../../tests/support/rest.ts";

const rest = await startTestRest();
const ada = await rest.signedIn();
const grace = await rest.signedIn();
await rest.admin.query(
  `insert into public.skills (profile_id, name, created_at)
   select $1, repeat('x', 10000), '2025-01-01' from generate_series(1, 900)`,
  [grace.id],
);
await rest.admin.query(
  `insert into public.skills (profile_id, name, created_at)
   select $1, 'Skill ' || n, '2025-01-02' from generate_series(1, 3) as n`,
  [ada.id],
);
afterAll(() => rest.stop());

async function send(method: string, path: string, body?: object, prefer = "return=representation") {
  const { token } = path.includes(grace.id) ? grace : ada;
  const response = await rest.request(path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", prefer },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    code: response.ok || text === "" ? undefined : JSON.parse(text).code,
    text,
  };
}

test.each(["limit=1", "limit=0", "offset=1", "order=id&limit=1", "limit=1&offset=1"])(
  "an update or delete with %s is rejected and changes no row",
  async (page) => {
    for (const method of ["PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { name: "Renamed" } : undefined;
      const response = await send(method, `skills?profile_id=eq.${ada.id}&${page}`, body);
      expect(response).toMatchObject({ status: 400, code: "PGRST127" });
    }
    const { rows } = await rest.admin.query(
      "select name from public.skills where profile_id = $1 order by name",
      [ada.id],
    );
    expect(rows.map(({ name }) => name)).toEqual(["Skill 1", "Skill 2", "Skill 3"]);
  },
);

test.each([
  "articles?select=id&or=(@)",
  "articles?select=id&and=(@)",
  "profiles?select=id,articles(id)&articles.or=(@)",
])("GET %s is rejected with 21 filters in place of @, and succeeds with 20", async (path) => {
  const conditions = (count: number) =>
    path.replace("@", Array(count).fill("content.ilike.*nothing*").join());
  expect(await send("GET", conditions(21))).toMatchObject({ status: 400, code: "PGRST100" });
  expect(await send("GET", conditions(20))).toMatchObject({ status: 200 });
});

test.each([
  "articles?select=a:content,b:content&limit=1",
  "articles?select=content,content&limit=1",
  "articles?select=*,a:content&limit=1",
  "articles?select=*,*&limit=1",
  "articles?select=id,profiles(a:bio,b:bio)&limit=1",
  "articles?select=id,a:profiles(bio),b:profiles(bio)&limit=1",
  "profiles?select=id,a:articles(content),b:articles(content)&limit=1",
])("GET %s is rejected because it selects a column or a table twice", async (path) => {
  expect(await send("GET", path)).toMatchObject({ status: 400, code: "PGRST100" });
});

test.each([
  "skills",
  "skills?select=name&order=name",
  "skills?order=created_at&limit=850",
  "profiles?select=id,skills(name)",
])("GET %s is rejected because its response would exceed 8 MiB", async (path) => {
  expect(await send("GET", path)).toMatchObject({ status: 400, code: "54000" });
});

test.each([
  "skills?order=created_at&limit=500",
  "skills?select=id",
  "profiles?select=id,skills(name)&skills.limit=500",
])("GET %s succeeds because its response is smaller than 8 MiB", async (path) => {
  const { status, text } = await send("GET", path);
  expect([status, JSON.parse(text).length > 0]).toEqual([200, true]);
});

test("rows can be counted even if a response with all of them would be too large", async () => {
  const response = await rest.request("skills", { method: "HEAD", headers: { prefer: "count=exact" } });
  expect([response.status, response.headers.get("content-range")]).toEqual([200, "0-902/903"]);
});

test("an update is rolled back if its response would be too large, and succeeds with return=minimal", async () => {
  const path = `skills?profile_id=eq.${grace.id}`;
  const changed = async () =>
    (await rest.admin.query("select from public.skills where category = 'aws'")).rowCount;
  expect(await send("PATCH", path, { category: "aws" })).toMatchObject({ status: 400, code: "54000" });
  expect(await changed()).toBe(0);
  expect(await send("PATCH", path, { category: "aws" }, "return=minimal")).toMatchObject({ status: 204 });
  expect(await changed()).toBe(900);
});
