import { expect, test } from "vitest";
import { createDataClient } from "../../common/data/client.ts";
import { readerOf } from "../../common/data/postgrest-reader.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { PageServices } from "../../common/page-services.ts";
import { loadHome } from "./load-home.server.ts";

test("loading the home page sends one request for each kind and four for people, and drops the surplus rows of a backend that ignores limits", async () => {
  let requests = 0;
  const allRows = Array.from({ length: 1_000 }, (_, id) => ({
    id: String(id),
    author_id: String(id),
    name: "Joins",
    content: "",
    profiles: { username: null, full_name: null },
  }));
  const data = readerOf(
    createDataClient({ url: "http://backend.test", key: "key" }, async () => {
      requests += 1;
      return Response.json(allRows);
    }),
  );
  const { professionals, excerpts, titles } = await loadHome({ data } as PageServices);
  const lengths = [professionals, ...Object.values(excerpts), ...Object.values(titles)].map(
    (rows) => rows.length,
  );
  const withExcerpts = KINDS.filter(({ excerptColumn }) => excerptColumn);
  const others = KINDS.filter(({ excerptColumn }) => !excerptColumn);
  expect(lengths).toEqual([3, ...withExcerpts.map(() => 3), ...others.map(() => 10)]);
  expect(requests).toBe(KINDS.length + 4);
});

test("the home page's data has the same order, whichever read finishes first", async () => {
  const loadWithSlowRead = async (slow: string) => {
    const data = readerOf(
      createDataClient({ url: "http://backend.test", key: "key" }, async (input) => {
        const isSlow = String(input instanceof Request ? input.url : input).includes(slow);
        await new Promise((resolve) => setTimeout(resolve, isSlow ? 20 : 0));
        return Response.json([]);
      }),
    );
    return JSON.stringify(await loadHome({ data } as PageServices));
  };
  expect(await loadWithSlowRead("useful_links")).toBe(await loadWithSlowRead("code_samples"));
});
