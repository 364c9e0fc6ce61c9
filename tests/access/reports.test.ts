import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReportedGroup } from "../../common/data/operators.ts";
import { type SignedInMember, startTestAdmin, type TestAdmin } from "../support/admin.ts";

describe.each(["built-in", "project"] as const)("/admin/v1/reports with a %s backend", (backend) => {
  let admin: TestAdmin;
  let operator: SignedInMember;
  let token: string;
  let member: SignedInMember;
  beforeAll(async () => {
    admin = await startTestAdmin(backend);
    operator = await admin.operator();
    token = await operator.token();
    member = await admin.member();
    await admin.auth.service.from("profiles").update({ full_name: "Ada" }).eq("id", member.id);
  });
  afterAll(() => admin.stop());

  async function addArticle(title: string): Promise<string> {
    const row = { author_id: member.id, title, content: "x", published: true };
    const added = await admin.auth.service.from("articles").insert(row).select("id").single();
    return added.data?.id;
  }

  let clients = 0;
  async function report(table: string, id: string, ...reasons: string[]) {
    for (const reason of reasons) {
      const { error } = await admin.auth.service.rpc("add_report", {
        subject_table: table,
        subject_id: id,
        reason,
        email: "reader@example.com",
        client: `client ${++clients}`,
        max_per_hour: 5,
        max_per_subject: 20,
      });
      expect(error).toBeNull();
    }
  }

  async function groups(after?: ReportedGroup): Promise<ReportedGroup[]> {
    const cursor = after ? `?after=${encodeURIComponent(JSON.stringify(after))}` : "";
    const response = await admin.call(token, `/reports${cursor}`);
    expect(response.status).toBe(200);
    return (await response.json()).rows;
  }

  const act = (name: string, table: string, id: string, details = {}) =>
    admin.call(token, `/reports/${name}`, { table, id, ...details });

  async function lastEntry() {
    const { rows } = await (await admin.call(token, "/log")).json();
    return rows[0];
  }

  test("reports are listed by item or person, the most reports first, with title, author, reasons and times", async () => {
    const html = "<b onclick=alert(1)>bold</b>";
    const [few, many] = [await addArticle("Few"), await addArticle("Many")];
    await report("articles", few, "One");
    await report("articles", many, "One", html, "Three");
    await report("profiles", member.id, "One", "Two");
    const rows = await groups();
    expect(rows.map(({ title, count }) => [title, count])).toEqual([
      ["Many", 3],
      ["Ada", 2],
      ["Few", 1],
    ]);
    expect(rows[0]).toMatchObject({
      table: "articles",
      id: many,
      author: "Ada",
      author_id: member.id,
      published: true,
    });
    const [newest, second] = rows[0]?.reports ?? [];
    expect(newest).toMatchObject({ reason: "Three", email: "reader@example.com" });
    expect(second?.reason).toBe(html);
    expect(rows[0]?.latest).toBe(newest?.created_at);
    expect(rows[1]).toMatchObject({ table: "profiles", id: member.id, published: null });
    expect((await groups(rows[0])).map(({ title }) => title)).toEqual(["Ada", "Few"]);
    for (const { table, id } of rows) expect((await act("dismiss", table, id)).status).toBe(200);
    expect(await groups()).toEqual([]);
  });

  test("Unpublish unpublishes the article and ends its group", async () => {
    const id = await addArticle("To unpublish");
    await report("articles", id, "spam");
    expect((await act("unpublish", "articles", id)).status).toBe(200);
    const { data } = await admin.auth.service.from("articles").select("published").eq("id", id).single();
    expect(data).toEqual({ published: false });
    expect(await groups()).toEqual([]);
    expect(await lastEntry()).toMatchObject({ action: "article.unpublished", target: "To unpublish" });
  });

  test("Remove removes the item and ends its group", async () => {
    const id = await addArticle("To remove");
    await report("articles", id, "spam");
    expect((await act("remove", "articles", id)).status).toBe(200);
    expect((await admin.auth.service.from("articles").select().eq("id", id)).data).toEqual([]);
    expect(await groups()).toEqual([]);
    expect(await lastEntry()).toMatchObject({ action: "item.removed", target: "To remove" });
    const again = await act("remove", "articles", id);
    expect((await again.json()).code).toBe(again.status === 200 ? undefined : "operation_failed");
  });

  test("Suspend suspends the person for the duration and ends their group", async () => {
    const victim = await admin.member();
    await report("profiles", victim.id, "spam");
    expect((await act("suspend", "profiles", victim.id, { for: "7d" })).status).toBe(200);
    const { data } = await admin.auth.service.auth.admin.getUserById(victim.id);
    expect(Date.parse(data.user?.banned_until ?? "")).toBeGreaterThan(Date.now());
    expect(await groups()).toEqual([]);
    expect(await lastEntry()).toMatchObject({ action: "member.suspended", target: victim.email });
  });

  test("Dismiss ends the group without any other change, and is logged", async () => {
    const id = await addArticle("Harmless");
    await report("articles", id, "spam", "more");
    const response = await act("dismiss", "articles", id);
    expect(await response.json()).toEqual({ text: '2 reports about "Harmless" dismissed.' });
    const { data } = await admin.auth.service.from("articles").select("published").eq("id", id).single();
    expect(data).toEqual({ published: true });
    expect(await groups()).toEqual([]);
    expect(await lastEntry()).toMatchObject({
      action: "reports.dismissed",
      target: "Harmless",
      details: { type: "articles", id, reports: 2 },
    });
    const again = await act("dismiss", "articles", id);
    expect(again.status).toBe(422);
    expect((await again.json()).message).toBe("There are no more reports about this.");
    await report("articles", id, "after the dismissal");
    expect(await groups()).toHaveLength(1);
    await act("dismiss", "articles", id);
  });

  test("actions that don't fit what is reported, and invalid bodies, are rejected", async () => {
    await report("profiles", member.id, "spam");
    const id = await addArticle("An article");
    expect((await act("unpublish", "profiles", member.id)).status).toBe(422);
    expect((await act("remove", "profiles", member.id)).status).toBe(422);
    expect((await act("suspend", "articles", id)).status).toBe(422);
    expect((await act("dismiss", "operator_log", id)).status).toBe(400);
    expect((await act("dismiss", "articles", "1")).status).toBe(400);
    expect((await admin.call(token, "/reports?after=x")).status).toBe(400);
    expect(await groups()).toHaveLength(1);
    await act("dismiss", "profiles", member.id);
  });

  test("an action needs a recent sign-in, and the list doesn't", async () => {
    const id = await addArticle("Reported");
    await report("articles", id, "spam");
    const late = await admin.operator();
    const lateToken = await late.token();
    if (backend === "project") return;
    await admin.auth.admin.query(
      "update auth.sessions set created_at = created_at - interval '2 hours' where user_id = $1",
      [late.id],
    );
    const response = await admin.call(lateToken, "/reports/dismiss", { table: "articles", id });
    expect(response.status).toBe(403);
    expect((await response.json()).code).toBe("reauthentication_needed");
    expect((await admin.call(lateToken, "/reports")).status).toBe(200);
  });
});
