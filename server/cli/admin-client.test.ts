import { expect, onTestFinished, test, vi } from "vitest";
import { createAdminClient } from "./admin-client.ts";

test("a site that cannot answer now is asked once, and the operator told at once", async () => {
  const fetch = vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async () => new Response("", { status: 503 }));
  onTestFinished(() => fetch.mockRestore());
  const site = { url: "http://site.test", serviceKey: "key", whenAbsent: "", whenRefused: "" };
  const { data, explain } = createAdminClient(site);
  const { error } = await data.from("articles").select();
  expect(explain(error).message).toContain("cannot answer now");
  expect(fetch).toHaveBeenCalledTimes(1);
});
