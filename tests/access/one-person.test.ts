// Tests the searches that must find exactly one person: by `@username`, by `@id`, and by a skill that an operator has moved.
import { afterAll, expect, test } from "vitest";
import { startTestRest } from "../support/rest.ts";

const rest = await startTestRest();
const ada = await rest.signedIn();
const nada = await rest.signedIn();
const service = rest.client(rest.keys.serviceKey);
const visitor = rest.client();
afterAll(() => rest.stop());

for (const [member, username, full_name] of [
  [ada, "ada", "Ada Byron"],
  [nada, "nada", "Nada Byronsky"],
] as const) {
  await service.from("profiles").update({ username, full_name }).eq("id", member.id).throwOnError();
  const article = { author_id: member.id, title: `By ${full_name}`, content: "x", published: true };
  await service.from("articles").insert(article).throwOnError();
}

async function titlesBy(search_author: string): Promise<string[]> {
  const found = await visitor.rpc("search_content", { content_table: "articles", search_author });
  return (found.data as { title: string }[]).map(({ title }) => title).sort();
}

test("a search by name finds everyone whose name contains it, and @username or @id finds one person", async () => {
  for (const name of ["ada", "BYRON", "da byron"]) {
    expect(await titlesBy(name)).toEqual(["By Ada Byron", "By Nada Byronsky"]);
  }
  for (const exact of ["@ada", ` @ada `, `@${ada.id}`, `@${ada.id.toUpperCase()}`]) {
    expect(await titlesBy(exact)).toEqual(["By Ada Byron"]);
  }
  for (const nobody of ["@ad", "@Ada Byron", "@ADA", `@${crypto.randomUUID()}`, "@@ada", "@%", "@_da"]) {
    expect(await titlesBy(nobody)).toEqual([]);
  }
});

test("a username that two members use finds the items of the one who has held it longest", async () => {
  const late = await rest.signedIn();
  await service.from("profiles").update({ username: "ada" }).eq("id", late.id).throwOnError();
  await service
    .from("articles")
    .insert({ author_id: late.id, title: "By another ada", content: "x" })
    .throwOnError();
  expect(await titlesBy("@ada")).toEqual(["By Ada Byron"]);
  expect(await titlesBy(`@${late.id}`)).toEqual(["By another ada"]);
});

test("the directory finds a skill that the service key has moved with its new owner only", async () => {
  const peopleWith = async (search_text: string) => {
    const { data } = await visitor.rpc("search_people", { search_text });
    return (data as { id: string }[]).map(({ id }) => id);
  };
  const skill = { profile_id: ada.id, name: "Difference engines", category: "tools", proficiency: 5 };
  const { data: added } = await service.from("skills").insert(skill).select("id").single().throwOnError();
  expect(await peopleWith("difference")).toEqual([ada.id]);
  await service.from("skills").update({ profile_id: nada.id }).eq("id", added?.id).throwOnError();
  expect(await peopleWith("difference")).toEqual([nada.id]);
  await service.from("skills").delete().eq("id", added?.id).throwOnError();
  expect(await peopleWith("difference")).toEqual([]);
});
