import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../config/limits.ts";
import { type Flaw, inspectJson, JsonError } from "./inspect-json.ts";

function flawOf(text: string): Flaw | undefined {
  try {
    inspectJson(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonError) return error.flaw;
    throw error;
  }
}

const parses = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("the check of a JSON body", () => {
  test.each(["compact", "indented"])("every object and list of objects in %s JSON is accepted", (style) => {
    const row = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom("__proto__", 'a"b', "\t", "é")),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.oneof(row, fc.array(row)), (value) => {
        fc.pre(!/\\u(0000|d[89a-f])/i.test(JSON.stringify(value)));
        const text = JSON.stringify(value, undefined, style === "indented" ? 2 : 0);
        const rows: object[] = Array.isArray(value) ? value : [value];
        const fields = [...new Set(rows.flatMap((each) => Object.keys(each)))];
        const shape = inspectJson(text);
        expect(shape.isList).toBe(Array.isArray(value));
        expect(shape.fields.toSorted()).toEqual(fields.toSorted());
        expect(shape.areAlike).toBe(rows.every((each) => Object.keys(each).length === fields.length));
      }),
      { numRuns: 1_000 },
    );
  });

  test("a text that one wrong character makes invalid is rejected exactly if JSON.parse rejects it", () => {
    const text = '[{"a": -1.5e+3, "b\\n": [true, false, null, {}], "c": "\\u00e9\\"x"}, {"a": 0}]';
    const characters = fc.constantFrom(...'{}[]",:\\ue0159.-+ \n\t@tfnx', "");
    fc.assert(
      fc.property(fc.nat(text.length), characters, fc.boolean(), (at, character, isInserted) => {
        const changed = text.slice(0, at) + character + text.slice(isInserted ? at : at + 1);
        const flaw = flawOf(changed);
        if (flaw === undefined || flaw === "syntax") expect(flaw === undefined).toBe(parses(changed));
        else expect(["shape", "nul", "surrogate"]).toContain(flaw);
      }),
      { numRuns: 5_000 },
    );
  });

  test.each<[string, Flaw]>([
    ["", "syntax"],
    ["5", "shape"],
    ["[1]", "shape"],
    ['[{"a":1},[]]', "shape"],
    ['{"a":"\\u0000"}', "nul"],
    ['{"\\u0000":1}', "nul"],
    ['{"a":"\\ud800"}', "surrogate"],
    ['{"a":"\\ud800\\u0041"}', "surrogate"],
    ['{"a":"\\udc00"}', "surrogate"],
    [`{"a":${"[".repeat(64)}`, "depth"],
    [`[${Array(LIMITS.data.rows + 1).fill("{}")}]`, "rows"],
    [`{"a":[${Array(LIMITS.jsonValues).fill("1")}]}`, "values"],
    [`{${Array.from({ length: LIMITS.jsonFields + 1 }, (_, index) => `"k${index}":1`)}}`, "fields"],
  ])("%.40s has the flaw %s", (text, flaw) => {
    expect(flawOf(text)).toBe(flaw);
  });

  test("a name in two spellings is one field", () => {
    expect(inspectJson('[{"a":1},{"\\u0061":2}]')).toEqual({ isList: true, fields: ["a"], areAlike: true });
  });
});
