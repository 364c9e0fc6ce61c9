import fc from "fast-check";
import { describe, expect, test } from "vitest";
import routes from "../../app/routes.ts";
import { PAGES, pageKey } from "./cache-key.ts";

const ORIGIN = "http://techfolio.test";
const UNKNOWN = "/not-found";

function keyOf(path: string) {
  const { pathname, searchParams } = new URL(path, ORIGIN);
  return pageKey(pathname, searchParams);
}

const addressOf = (path: string) => keyOf(path).address;

const name = fc.constantFrom(
  "q",
  "author",
  "sort",
  "after",
  "utm_source",
  "page",
  "_data",
  "index",
  "Q",
  "q[]",
);
const value = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("asc", "desc", "2026-01-01T00:00:00+00:00~00000000-0000-4000-8000-000000000001"),
);
const query = fc
  .array(fc.tuple(name, value), { maxLength: 5 })
  .map((pairs) => new URLSearchParams(pairs).toString());
const path = fc.oneof(
  fc.constantFrom(...PAGES),
  fc.webPath(),
  fc.constantFrom("/Articles", "//", "//evil.example/", "/articles/x", "/%61rticles", "/not-found", "/..;/"),
);

test("the pages are those of the application's routes", () => {
  const paths = routes.map(({ path }) => `/${path ?? ""}`);
  // The others answer with data, or to whatever has no page.
  expect([...PAGES].toSorted()).toEqual(paths.filter((path) => !/[:*]/.test(path)).toSorted());
});

describe("pageKey", () => {
  test("names a page's address by itself: once more changes nothing", () => {
    fc.assert(
      fc.property(path, query, (one, two) => {
        const address = addressOf(`${ORIGIN}${one}?${two}`);
        expect(addressOf(address)).toBe(address);
      }),
    );
  });

  test("leads to one of the pages, or to the one for all others", () => {
    fc.assert(
      fc.property(path, query, (one, two) => {
        const address = addressOf(`${ORIGIN}${one}?${two}`);
        expect([...PAGES, UNKNOWN]).toContain(address.split("?")[0]);
      }),
    );
  });

  test("keeps of a query only what its page depends on", () => {
    fc.assert(
      fc.property(fc.constantFrom("/", "/profile", "/nowhere"), query, (one, two) => {
        expect(addressOf(`${one}?${two}`)).toBe(addressOf(one));
      }),
    );
    fc.assert(
      fc.property(query, (one) => {
        const kept = new URL(addressOf(`/articles?${one}`), ORIGIN).searchParams;
        for (const key of kept.keys()) expect(["q", "author", "sort", "after"]).toContain(key);
      }),
    );
  });

  test.each([
    ["/articles?q=", "/articles"],
    ["/articles?sort=desc&author=", "/articles"],
    ["/articles?sort=sideways", "/articles"],
    ["/articles?utm_source=mail&q=sql", "/articles?q=sql"],
    ["/articles?author=ada&q=sql", "/articles?q=sql&author=ada"],
    ["/articles?q=first&q=second", "/articles?q=first"],
    ["/articles/", "/articles"],
    ["/articles///", "/articles"],
    ["/articles#fragment", "/articles"],
    ["/profile?next=//evil.example", "/profile"],
    ["/?q=sql", "/"],
    ["/articles?after=yesterday", "/articles"],
    ["/articles?after=2026-01-01T00:00:00Z~nobody", "/articles"],
    ["/articles?after=2026-01-01T00:00:00Z%27)--~00000000-0000-4000-8000-000000000001", "/articles"],
    ["/ARTICLES", UNKNOWN],
    ["/articles/one", UNKNOWN],
    ["/%61rticles", UNKNOWN],
    ["/__proto__", UNKNOWN],
    [`${ORIGIN}//`, UNKNOWN],
    [`${ORIGIN}//evil.example/articles`, UNKNOWN],
  ])("%j is the page %j", (requested, address) => {
    expect(addressOf(requested)).toBe(address);
  });

  test.each(["/", "/profile", "/articles", "/useful-links/", "/sample-code?q=", "/nowhere?q=sql"])(
    "%s is one of the fixed addresses",
    (path) => {
      expect(keyOf(path).isFixed).toBe(true);
    },
  );

  test.each(["/articles?q=sql", "/useful-links?author=ada", "/sample-code?sort=asc"])(
    "%s is one of any number of addresses",
    (path) => {
      expect(keyOf(path).isFixed).toBe(false);
    },
  );
});
