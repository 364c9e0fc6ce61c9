import { addCrowd } from "../fixtures/crowd.ts";
import { expect, test } from "../fixtures/site.ts";
import { cardOf } from "../fixtures/visiting.ts";

/** One that is fetched whole and shown whole, one that is fetched whole, one of more than a megabyte, which is not. */
const SIZES = [60, 300, 1_500];

const VIEWPORTS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

for (const [size, viewport] of SIZES.flatMap((size) =>
  VIEWPORTS.map((viewport) => [size, viewport] as const),
)) {
  test(`an address leads to any item of ${size}, ${viewport.width} pixels wide`, async ({ page, site }) => {
    test.setTimeout(90_000);
    const { id: owner } = await site.addMember({ username: "crowd" });
    await addCrowd(site.admin, owner, size);
    const { data } = await site.admin
      .from("articles")
      .select("id")
      .eq("title", `Article ${size - 10}`)
      .single();
    if (!data) throw new Error("the article was not made");

    await page.setViewportSize(viewport);
    await page.goto(`/articles#${data.id}`);
    const card = cardOf(page, data.id);
    await expect(card).toBeInViewport();
    // The cards around it arrive one stretch after the other; it stays where it is.
    await page.waitForLoadState("networkidle");
    await expect.poll(async () => (await card.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await expect.poll(async () => (await card.boundingBox())?.y).toBeLessThan(viewport.height / 4);
  });
}
