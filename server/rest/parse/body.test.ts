import fc from "fast-check";
import { expect, test } from "vitest";
import { RestError } from "../rest-error.ts";
import { decodeBody, parsePayload } from "./body.ts";

const decode = (bytes: Uint8Array | string, headers: Record<string, string> = {}) =>
  decodeBody(Buffer.from(bytes), new Headers(headers));

test("a body is decoded as UTF-8", () => {
  expect(decode('{"a":"é😀"}')).toBe('{"a":"é😀"}');
});

test.each([
  [{ "content-type": "application/json; charset=UTF-8" }, 200],
  [{ "content-type": 'application/json;charset="utf-8"' }, 200],
  [{ "content-type": "application/json; version=1; charset=utf-8" }, 200],
  [{ "content-type": "text/plain" }, 415],
  [{ "content-type": "text/csv" }, 415],
  [{ "content-type": "application/x-www-form-urlencoded" }, 415],
  [{ "content-type": "application/jsonp" }, 415],
  [{ "content-type": "application/json; charset=utf-16" }, 415],
  [{ "content-type": "application/json; version=1; charset=utf-16" }, 415],
  [{ "content-type": "application/json", "content-encoding": "gzip" }, 415],
])("a body with the headers %j gets status %d", (headers, status) => {
  const text = () => decode("{}", headers);
  if (status === 200) expect(text()).toBe("{}");
  else expect(text).toThrow(expect.objectContaining({ status, code: "PGRST102" }));
});

test.each([[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80]])(
  "a body with an invalid UTF-8 sequence that starts with the byte %d is rejected",
  (...bytes) => {
    expect(() => decode(new Uint8Array(bytes))).toThrow(expect.objectContaining({ status: 400 }));
  },
);

test.each<[parse: () => unknown, error: object]>([
  [() => decode("{}", { "content-type": "text/csv" }), { message: "Content-Type not acceptable: text/csv" }],
  [() => decode("{}", { "content-encoding": "gzip" }), { message: "Content-Encoding not acceptable: gzip" }],
  [() => parsePayload('[{"a":1},{"b":1}]'), { message: "All object keys must match" }],
  [
    () => parsePayload('{"a":"\\u0000"}'),
    {
      message: "unsupported Unicode escape sequence",
      extras: { details: "\\u0000 cannot be converted to text." },
    },
  ],
])("a body's rejection gives the reason: %#", (parse, error) => {
  expect(parse).toThrow(expect.objectContaining(error));
});

test("a body without a type is JSON", () => {
  expect(decode('{"a":1}')).toBe('{"a":1}');
});

test("a body is one object or a list of objects, with equal keys unless columns are listed", () => {
  expect(parsePayload('{"a":1,"b":2}')).toMatchObject({ isList: false, fields: ["a", "b"] });
  expect(parsePayload('[{"a":1,"b":2},{"b":3,"a":4}]')).toMatchObject({
    isList: true,
    fields: ["a", "b"],
  });
  expect(parsePayload("[]")).toMatchObject({ isList: true, fields: [] });
  expect(parsePayload('[{"a":1},{"b":2}]', ["a", "b"])).toMatchObject({ fields: ["a", "b"] });
});

const nested = (depth: number) => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
const list = (length: number) => JSON.stringify(Array(length).fill({ a: 1 }));

test("a request body can be nested 64 levels deep and can have 5,000 rows", () => {
  expect(parsePayload(nested(64)).fields).toEqual(["a"]);
  expect(parsePayload(list(5_000)).isList).toBe(true);
  expect(() => parsePayload(list(5_001))).toThrow(expect.objectContaining({ status: 400, code: "PGRST102" }));
});

test.each([
  ["", "PGRST102"],
  ["{", "PGRST102"],
  ["undefined", "PGRST102"],
  ["{'a':1}", "PGRST102"],
  ['{"a":1}{"a":2}', "PGRST102"],
  ["null", "PGRST102"],
  ["5", "PGRST102"],
  ['"text"', "PGRST102"],
  ["[1]", "PGRST102"],
  ["[null]", "PGRST102"],
  ["[[]]", "PGRST102"],
  ['[{"a":1},{"b":1}]', "PGRST102"],
  ['[{"a":1},{"a":1,"b":1}]', "PGRST102"],
  ['{"a":"\\ud800"}', "PGRST102"],
  ['{"\\udc00":1}', "PGRST102"],
  ['{"a":"\\u0000"}', "22P05"],
  ['{"a":["x",{"b":"\\u0000"}]}', "22P05"],
  ['{"\\u0000":1}', "22P05"],
  [nested(65), "PGRST102"],
])("the body %s is rejected with %s", (text, code) => {
  expect(() => parsePayload(text)).toThrow(expect.objectContaining({ status: 400, code }));
});

test.each([
  ["without closing brackets", "[".repeat(500_000)],
  ["with closing brackets", `${"[".repeat(500_000)}${"]".repeat(500_000)}`],
])("a body of 500,000 nested lists is rejected (%s)", (_, text) => {
  expect(() => parsePayload(text)).toThrow(expect.objectContaining({ status: 400, code: "PGRST102" }));
});

test("any JSON body is either rejected with a RestError or parsed to the value that JSON.parse returns", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      try {
        const { json, isList, fields } = parsePayload(text);
        const value = JSON.parse(text);
        expect(JSON.parse(json)).toEqual(isList ? value : [value]);
        expect(isList).toBe(Array.isArray(value));
        expect(fields).toEqual(Object.keys((isList ? value[0] : value) ?? {}));
      } catch (error) {
        expect(error).toBeInstanceOf(RestError);
      }
    }),
    { numRuns: 2000 },
  );
});
