import { expect, test } from "vitest";
import { createDataClient } from "../../../app/data/client.ts";
import { createCards } from "./cards.ts";

/** Knows one member. */
const data = createDataClient({ url: "http://backend.test", key: "" }, async (input) => {
  const isPerson = String(input).includes("/profiles");
  return Response.json(isPerson ? [{ id: ID, full_name: "Ada", username: null }] : []);
});
const ID = "00000000-0000-4000-8000-000000000001";

test.each(["データ.pro", "Data → AI.pro", "Data 🚀.pro"])(
  "a site that the fonts here cannot name (%s) has cards all the same",
  async (siteTitle) => {
    const answer = createCards(data);
    const cardAt = (address: string) => answer({ address, siteTitle, requestId: "test" }, {});
    const [own, ofSite] = [await cardAt(`/cards/people/${ID}.png`), await cardAt("/cards/site.png")];
    expect([own?.status, ofSite?.status]).toEqual([200, 200]);
    expect(own?.body.equals(ofSite?.body ?? Buffer.alloc(0))).toBe(false);
  },
);
