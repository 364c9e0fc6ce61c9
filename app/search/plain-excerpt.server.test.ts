import { expect, test } from "vitest";
import { type ExcerptFormat, plainExcerpt } from "./plain-excerpt.server.ts";

/** Splits a text into the parts that the database returns. Its hits are between ‹ and ›. */
const partsOf = (text: string) => text.split(/[‹›]/);
const show = (text: string, format: ExcerptFormat = "markdown") =>
  plainExcerpt(partsOf(text), format)
    .map((part, index) => (index % 2 === 1 ? `‹${part}›` : part))
    .join("");

test.each([
  ["A **partial** ‹index› helped.", "A partial ‹index› helped."],
  ["A **‹index›** and *an* _‹index›_", "A ‹index› and an ‹index›"],
  ["# ‹Index› types\n\nText", "‹Index› types Text"],
  ["## The ‹index›\n- one\n- two\n1. three\n\n> four", "The ‹index› one two three four"],
  ["See [the ‹index›](https://a.test/x_y) and ![a ‹plan›](p.png).", "See the ‹index› and a ‹plan›."],
  ["See [the docs](https://a.test/‹index›) here", "See the docs (‹a.test/index›) here"],
  ["See https://a.test/‹index› here", "See ‹a.test/index› here"],
  ["See https://www.a.test/x/y?z=1#part, an ‹index›.", "See a.test, an ‹index›."],
  [
    "An ‹index› of <https://a.test/x> and `curl https://a.test/x`",
    "An ‹index› of a.test and curl https://a.test/x",
  ],
  ["Run `create ‹index›` or ~~not~~", "Run create ‹index› or not"],
  ["Run:\n\n```sql\ncreate ‹index› **x**\n```\n\nThen **stop**", "Run: create ‹index› **x** Then stop"],
  ["Run:\n\n```‹sql›\nselect 1", "Run: (‹sql›) select 1"],
  ["create ‹index› **x**\n```\n\nThen **stop**", "create ‹index› **x** Then stop"],
  ["| a | ‹index› |\n| --- | --- |\n| 1 | 2 |", "a ‹index› 1 2"],
  ["An ‹index› <!-- hidden --> here", "An ‹index› here"],
  ["<kbd>‹index›</kbd> &amp; more", "<kbd>‹index›</kbd> & more"],
  ["old** ‹index› and **new", "old ‹index› and new"],
  ["docs](https://a.test/x) of an ‹index› and [its do", "...docs of an ‹index› and its do"],
  ["An ‹index› in [the docs](https://a.te", "An ‹index› in the docs"],
  ["2 * 3 ‹index› 2**10 a_b_c C++ a[0] x -> y", "2 * 3 ‹index› 2**10 a_b_c C++ a[0] x -> y"],
  ["‹__init__› runs", "‹__init__› runs"],
  ["[^1]: the ‹index›", "the ‹index›"],
  ["See https://a.test/‹index›/ here", "See ‹a.test/index› here"],
  ["See https://my-www.a.test/x, an ‹index›", "See my-www.a.test, an ‹index›"],
  ["See http://[ an ‹index›", "See http://[ an ‹index›"],
  ["![a plan](‹index›.png) of it", "a plan (‹index›.png) of it"],
  ["![the plan][1] of an ‹index›\n\n[1]: /p.png", "the plan of an ‹index›"],
  ["An article\n\n[docs]: https://a.test/‹index›", "An article (‹a.test/index›)"],
  ["[two **bold** words](https://a.test/x) on an ‹index›", "two bold words on an ‹index›"],
  ["one  \ntwo\n\n---\n\n‹index›", "one two ‹index›"],
  ["Run:\n\n```\ncreate ‹index› **x**", "Run: create ‹index› **x**"],
  ["Run:\n  \n~~~\ncreate ‹index› **x**", "Run: create ‹index› **x**"],
  ["No hit **here**", "No hit here"],
  ["", ""],
])("the excerpt of an article that contains %j is %j", (text, expected) => {
  expect(show(text)).toBe(expected);
});

test.each([
  ["A list\n\u2029\nOf ‹links›\n\u2029\nhttps://a.test", "A list · Of ‹links› · a.test"],
  ["\n\u2029\n‹Reading›\n\u2029\n", "‹Reading›"],
  ["All ‹of it\n\u2029\nReading›", "All ‹of it · Reading›"],
])("columns of the excerpt %j are apart", (text, expected) => {
  expect(show(text, "text")).toBe(expected);
});

test.each([
  ["A list *of* ‹links›\n\u2029\nhttps://www.a.test/x?y=1#z", "A list *of* ‹links› · a.test"],
  ["The docs\n\u2029\nhttps://a.test/docs/‹index›.html?x=1", "The docs · ‹a.test/docs/index.html›"],
  ["The docs\n\u2029\n‹http›s://a.test/x", "The docs · ‹a.test/x›"],
  ["The docs\n\u2029\n‹https›://a.test/x", "The docs · ‹a.test/x›"],
  ["The docs\n\u2029\nhttps://a.‹test›/x/‹test›", "The docs · ‹a.test/x/test›"],
  ["The ‹docs\n\u2029\nhttps›://a.test/x", "The ‹docs · a.test/x›"],
  ["See https://a.test/x/‹y z›.", "See ‹a.test/x/y z›."],
])(
  "the plain excerpt %j shows the hosts of its addresses, and marks an address with a hit as a whole: %j",
  (text, expected) => {
    expect(show(text, "text")).toBe(expected);
  },
);

test("an excerpt of code keeps its characters, also those of addresses", () => {
  expect(show("def f(*args, **‹kwargs›):\n    # ‹kwargs›", "code")).toBe(
    "def f(*args, **‹kwargs›): # ‹kwargs›",
  );
  expect(show('get("https://www.a.test/‹kwargs›?x=1")', "code")).toBe(
    'get("https://www.a.test/‹kwargs›?x=1")',
  );
});

test("three dots follow an excerpt of 200 characters, and precede one that starts inside a sentence", () => {
  const before = "in the middle of a long sentence about an ";
  const rest = (length: number) => `${"more ".repeat(40)}`.slice(0, length - before.length - 5);
  expect(show(`${before}‹index›${rest(199)}`)).toMatch(/^\.\.\.in the middle .* ‹index›.*[a-z]$/);
  expect(show(`${before}‹index›${rest(200)}`)).toMatch(/^\.\.\.in the middle .* ‹index›.*[a-z]\.\.\.$/);
  expect(show("a short ‹index›")).toBe("a short ‹index›");
  expect(show(`The beginning of a long sentence about an ‹index›`)).toMatch(/^The/);
  expect(show(`\n The beginning of a long sentence about an ‹index›`)).toMatch(/^The/);
  expect(show("in the middle of a sentence about Python and an ‹index›")).toMatch(/^\.\.\.in/);
  // An emoji is one character for the database.
  expect(show("😀".repeat(120))).not.toContain("...");
});

test("an excerpt with private-use characters or unbalanced hits keeps its parts in order", () => {
  expect(plainExcerpt(["a \uE001\uE000b ", "index", " \uE000c"], "markdown")).toEqual([
    "a b ",
    "index",
    " c",
  ]);
});

test("an excerpt of hostile Markdown ends", () => {
  const hostile = [
    ">".repeat(200),
    "[".repeat(200),
    "*a ".repeat(66),
    "`".repeat(200),
    "![](".repeat(50),
    "- ".repeat(100),
  ];
  for (const text of hostile) expect(plainExcerpt([text], "markdown")).toHaveLength(1);
});
