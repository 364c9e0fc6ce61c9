import { expect, onTestFinished, test, vi } from "vitest";
import { createAdminClient, must } from "./admin-client.ts";

const site = { url: "http://site.test", serviceKey: "key", whenAbsent: "", whenRefused: "look at it" };

function answering(answer: (url: string) => Response) {
  const fetch = vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => answer(String(url)));
  onTestFinished(() => fetch.mockRestore());
  return fetch;
}

test("a command asks a failing site only once and reports the failure immediately", async () => {
  const fetch = answering(() => new Response("", { status: 503 }));
  const { data } = createAdminClient(site);
  await expect(data.from("articles").select().throwOnError()).rejects.toThrow("is failing");
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("each of several concurrent requests reports its own failure", async () => {
  answering((url) =>
    url.includes("articles") ? Response.json({ message: "" }, { status: 401 }) : Response.json([]),
  );
  const { data } = createAdminClient(site);
  const [refused, answered] = await Promise.allSettled(
    ["articles", "useful_links"].map((table) => data.from(table).select().throwOnError()),
  );
  expect(refused).toMatchObject({ reason: { message: expect.stringContaining("does not accept the key") } });
  expect(answered).toMatchObject({ status: "fulfilled" });
});

test("an error after an empty response is reported", async () => {
  answering((url) =>
    url.includes("/rest/v1/")
      ? new Response(null, { status: 204 })
      : Response.json({ error_code: "user_not_found", msg: "User not found" }, { status: 404 }),
  );
  const { admin, data } = createAdminClient(site);
  await data.from("articles").delete().eq("id", "1").throwOnError();
  await expect(must(admin.getUserById(crypto.randomUUID()))).rejects.toThrow("User not found");
});

test.each([
  ["a page", () => new Response("<!doctype html>", { headers: { "Content-Type": "text/html" } })],
  ["another service's refusal", () => Response.json({ error: "No such thing" }, { status: 404 })],
  ["an empty refusal", () => new Response("", { status: 404 })],
])("%s comes from no Techfolio site", async (_answer, answer) => {
  answering(answer);
  const { admin } = createAdminClient(site);
  await expect(must(admin.listUsers())).rejects.toThrow("a Techfolio site");
});
