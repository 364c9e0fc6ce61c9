// Tests the limits of a single request: the rows that it changes, the number of its filters, the columns that it
// selects repeatedly, and the size of its response.
import { afterAll, expect, test } from "vitest";
import { startTestRest } from "../../tests/support/rest.ts";

const rest = await startTestRest();
const ada = await rest.signedIn();
const grace = await rest.signedIn();
await rest.admin.query(
  `insert into public.code_samples (profile_id, title, code_content, language, created_at)
   select $1, 'Long', repeat('x', 10000), 'sql', '2025-01-01' from generate_series(1, 900)`,
  [grace.id],
);
await rest.admin.query(
  `insert into public.code_samples (profile_id, title, code_content, language, created_at)
   select $1, 'Sample ' || n, 'ls', 'bash', '2025-01-02' from generate_series(1, 3) as n`,
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
      const body = method === "PATCH" ? { title: "Renamed" } : undefined;
      const response = await send(method, `code_samples?profile_id=eq.${ada.id}&${page}`, body);
      expect(response).toMatchObject({ status: 400, code: "PGRST127" });
    }
    const { rows } = await rest.admin.query(
      "select title from public.code_samples where profile_id = $1 order by title",
      [ada.id],
    );
    expect(rows.map(({ title }) => title)).toEqual(["Sample 1", "Sample 2", "Sample 3"]);
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
  "articles?select=a:content,b:content,c:content&limit=1",
  "articles?select=content,content&limit=1",
  "articles?select=*,a:content,b:content,c:content&limit=1",
  "articles?select=*,*&limit=1",
  "articles?select=id,profiles(a:bio,b:bio,c:bio)&limit=1",
  "articles?select=id,a:profiles(bio),b:profiles(bio),c:profiles(bio)&limit=1",
  "profiles?select=id,a:articles(content),b:articles(content),c:articles(content)&limit=1",
])("GET %s is rejected because it selects a column or a table too often", async (path) => {
  expect(await send("GET", path)).toMatchObject({ status: 400, code: "PGRST100" });
});

test.each([
  "code_samples",
  "code_samples?select=code_content&order=title",
  "code_samples?order=created_at&limit=850",
  "profiles?select=id,code_samples(code_content)",
])("GET %s is rejected because its response would exceed 8 MiB", async (path) => {
  expect(await send("GET", path)).toMatchObject({ status: 400, code: "54000" });
});

test.each([
  "code_samples?order=created_at&limit=500",
  "code_samples?select=id",
  "profiles?select=id,code_samples(code_content)&code_samples.limit=500",
])("GET %s succeeds because its response is smaller than 8 MiB", async (path) => {
  const { status, text } = await send("GET", path);
  expect([status, JSON.parse(text).length > 0]).toEqual([200, true]);
});

test("rows can be counted even if a response with all of them would be too large", async () => {
  const response = await rest.request("code_samples", { method: "HEAD", headers: { prefer: "count=exact" } });
  expect([response.status, response.headers.get("content-range")]).toEqual([200, "0-902/903"]);
});

test("an update is rolled back if its response would be too large, and succeeds with return=minimal", async () => {
  const path = `code_samples?profile_id=eq.${grace.id}`;
  // The rows already have this value. If the site indexed all of them again for the searches, the update could exceed the
  // time limit of a statement on a busy machine.
  const change = { language: "sql" };
  /** The places of the rows in PostgreSQL's file, which each update changes. */
  async function places(): Promise<string[]> {
    const sql = "select ctid::text as place from public.code_samples where profile_id = $1 order by id";
    return (await rest.admin.query(sql, [grace.id])).rows.map(({ place }) => place);
  }
  const before = await places();
  expect(await send("PATCH", path, change)).toMatchObject({ status: 400, code: "54000" });
  expect(await places()).toEqual(before);
  expect(await send("PATCH", path, change, "return=minimal")).toMatchObject({ status: 204 });
  const after = await places();
  expect(after).toHaveLength(900);
  expect(after.filter((place, index) => place === before[index])).toEqual([]);
});
