import { Hono } from "hono";
import { expect, test } from "vitest";
import { createDataClient } from "../../../common/data/client.ts";
import { readerOf } from "../../../common/data/postgrest-reader.ts";
import { createCards } from "./cards.ts";

/** Reads from a stub backend that has one member. */
const data = readerOf(
  createDataClient({ url: "http://backend.test", key: "" }, async (input) => {
    const isPerson = String(input).includes("/profiles");
    return Response.json(isPerson ? [{ id: ID, full_name: "Ada", username: null }] : []);
  }),
);
const ID = "00000000-0000-4000-8000-000000000001";

test.each(["データ.pro", "Data → AI.pro", "Data 🚀.pro"])(
  "if the site's name contains a character that the fonts lack (%s), a person's card still differs from the site's",
  async (siteTitle) => {
    const app = new Hono();
    app.use(async (c, next) => {
      c.set("siteTitle", siteTitle);
      await next();
    });
    app.get("/cards/*", createCards(data));
    const cardAt = async (path: string) => {
      const response = await app.request(path);
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer());
    };
    const cardOfPerson = await cardAt(`/cards/people/${ID}.png`);
    expect(cardOfPerson.equals(await cardAt("/cards/site.png"))).toBe(false);
  },
);
