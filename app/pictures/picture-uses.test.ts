import { expect, test } from "vitest";
import { createDataClient } from "../../common/data/client.ts";
import { PUBLIC_PATH } from "../../common/pictures/picture-path.ts";
import { readPictureUses } from "./picture-uses.ts";

const ADA = "3d6785ad-147e-40bd-ab59-cd3aeb847502";
const [PLAN, DESK, FACE] = ["plan", "desk", "face"].map((name) => `${ADA}/${name}-900x600.webp`) as [
  string,
  string,
  string,
];
const show = (path: string) => `![A picture](${PUBLIC_PATH}${path})`;

const article = (digit: number, content: string) => ({
  id: `00000000-0000-4000-8000-00000000000${digit}`,
  title: `Article ${digit}`,
  content,
});

test("each of a member's pictures has the portrait and the items that show it, once each", async () => {
  const requests: string[] = [];
  const responses: Record<string, object[]> = {
    profiles: [{ avatar_url: `https://site.test${PUBLIC_PATH}${FACE}` }],
    articles: [article(2, `${show(PLAN)}\n\n${show(PLAN)} ${show(DESK)}`), article(1, show(PLAN))],
  };
  const client = createDataClient({ url: "http://backend.test", key: "key" }, async (input) => {
    const { pathname, search } = new URL(String(input));
    const table = pathname.replace("/rest/v1/", "");
    requests.push(`${table}${decodeURIComponent(search)}`);
    return Response.json(responses[table]);
  });
  const second = { title: "Article 2", path: "/articles/article-2-000000000002" };
  const first = { title: "Article 1", path: "/articles/article-1-000000000001" };
  expect(Object.fromEntries(await readPictureUses(client, ADA))).toEqual({
    [FACE]: [{ title: "Your portrait", path: `/profile/${ADA}` }],
    [PLAN]: [second, first],
    [DESK]: [second],
  });
  expect(requests).toEqual([
    `profiles?select=avatar_url&id=eq.${ADA}`,
    `articles?select=id,title,content&author_id=eq.${ADA}&or=(content.like.*${PUBLIC_PATH}${ADA}/*)` +
      "&order=created_at.desc,id.asc&offset=0&limit=20",
  ]);
});

test("a member without a portrait or pictures has no uses", async () => {
  const client = createDataClient({ url: "http://backend.test", key: "key" }, async () => Response.json([]));
  expect(await readPictureUses(client, ADA)).toEqual(new Map());
});
