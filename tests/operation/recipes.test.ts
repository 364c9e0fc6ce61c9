import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { startTestRest } from "../support/rest.ts";

const text = readFileSync(path.join(import.meta.dirname, "../../CONTRIBUTING.md"), "utf8");

/** The statements in the recipe for a limit that operators set and the database enforces. */
const [statements = ""] = /(?<=```sql\n).*?(?=```)/s.exec(text) ?? [];

const rest = await startTestRest();
afterAll(() => rest.stop());

test("the statements of the recipe for a setting enforce a limit that the owner of the tables can change, and that clients can neither read nor change", async () => {
  await rest.admin.query(statements);
  const member = await rest.signedIn();
  const client = rest.client(member.token);
  const addLink = () =>
    client.from("useful_links").insert({ profile_id: member.id, title: "T", url: "/", category: "C" });
  const setLimit = (links: number) =>
    rest.admin.query(
      "insert into private.settings values ('links_per_member', $1) on conflict (name) do update set value = excluded.value",
      [links],
    );

  expect((await addLink()).status, "below the default").toBe(201);
  await setLimit(2);
  expect((await addLink()).status, "up to the limit").toBe(201);
  const refused = await addLink();
  expect(refused.status).toBe(413);
  expect(refused.error).toMatchObject({ code: "PT413", message: "A member can have at most 2 links" });
  await setLimit(3);
  expect((await addLink()).status, "after the limit was raised").toBe(201);

  for (const role of ["anon", "authenticated", "service_role", "authenticator"]) {
    const { rows } = await rest.admin.query(
      `select has_table_privilege($1, 'private.settings', 'select, insert, update, delete') as reaches`,
      [role],
    );
    expect(rows, role).toEqual([{ reaches: false }]);
  }
});
