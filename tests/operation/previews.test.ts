import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { itemPath } from "../../common/data/addresses.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { exampleRow } from "../support/example-rows.ts";
import { SITE, startTestApp } from "../support/test-app.ts";

/** Slack reads no more of a page than this (docs/sharing.md). */
const READ_BYTES = 32 * 1024;
/** WhatsApp shows no larger picture (docs/sharing.md). */
const PICTURE_BYTES = 300 * 1024;

const site = await startTestApp();
afterAll(() => site.stop());
const pages: string[] = ["/", "/people", "/search?q=engine", "/profile", ...KINDS.map(({ path }) => path)];
const ofMembers: string[] = [];

beforeAll(async () => {
  const author = await site.addMember({ username: "ada", full_name: "Ada Lovelace", featured: true });
  for (const kind of KINDS) {
    const title = "Notes on the engine";
    const id = await site.add(kind.table, exampleRow(kind, author, { title }));
    ofMembers.push(itemPath(kind, { id, title }));
  }
  ofMembers.push("/profile/ada");
});

function metadata(html: string): Record<string, string> {
  const head = Buffer.from(html).subarray(0, READ_BYTES).toString();
  const tags = head.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"\/>/g);
  return Object.fromEntries(Array.from(tags, ([, name, content]) => [name, content]));
}

async function preview(path: string) {
  const found = metadata(await site.eventually(path));
  const picture = await site.ask((found["og:image"] ?? "").replace(SITE, ""));
  const bytes = Buffer.from(await picture.arrayBuffer());
  return { found, type: picture.headers.get("Content-Type"), bytes };
}

describe("a program that reads only the first 32 KiB of a page", () => {
  test("finds a title, a description, an address and a picture on each kind of page", async () => {
    for (const path of [...pages, ...ofMembers]) {
      const { found, type, bytes } = await preview(path);
      for (const name of ["title", "description", "site_name", "type"])
        expect(found[`og:${name}`], `og:${name} of ${path}`).toBeTruthy();
      expect(found["twitter:card"], path).toBe("summary_large_image");
      expect(found["og:url"], path).toBe(`${SITE}${path.split("?")[0]}`);
      expect(type, path).toBe("image/png");
      expect(bytes.length, path).toBeLessThan(PICTURE_BYTES);
      // A PNG's width and height (PNG specification, 11.2.1).
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], path).toEqual([1_200, 630]);
    }
  });

  test("finds the title of an item, the name of a person, and the pictures of articles and people", async () => {
    for (const path of ofMembers) {
      const { found } = await preview(path);
      expect(found["og:title"], path).toMatch(/^(Notes on the engine|Ada Lovelace) · /);
      if (/^.(articles|profile)/.test(path)) expect(found["og:image"]).not.toBe(`${SITE}/cards/site.png`);
    }
  });
});
