import { expect, test } from "vitest";
import { createDataClient } from "./client.ts";
import { featuredProfiles, latestArticles, latestLinks, latestSamples } from "./home-reads.ts";

test("a backend that ignores limits is asked no more and shown no more than the home page needs", async () => {
  let requests = 0;
  const everything = Array.from({ length: 1_000 }, (_, id) => ({ id: String(id) }));
  const client = createDataClient({ url: "http://backend.test", key: "key" }, async () => {
    requests += 1;
    return Response.json(everything);
  });
  const panels = await Promise.all([
    featuredProfiles(client),
    latestArticles(client),
    latestLinks(client),
    latestSamples(client),
  ]);
  expect(panels.map((rows) => rows.length)).toEqual([3, 3, 10, 10]);
  expect(requests).toBe(7);
});
