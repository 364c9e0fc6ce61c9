import type { KeyboardEvent } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  applyFormat,
  continueListOnEnter,
  type FormatName,
  formatOnShortcut,
  indentOnEnter,
  indentSelection,
  linkOnPaste,
  replaceRange,
  submitOnCtrlEnter,
} from "./text-editing.ts";

class FakeElement {
  focus(): void {
    page.activeElement = this;
  }
}

/** The functions use these parts of a text area. `execCommand` changes the text area with the focus, as in browsers. */
class FakeArea extends FakeElement {
  value: string;
  selectionStart: number;
  selectionEnd: number;
  scrollTop = 0;
  disabled = false;
  readOnly = false;
  events: string[] = [];

  /** The text has `|` at both ends of the selection, or once at the cursor. */
  constructor(marked: string) {
    super();
    const [before = "", selected = "", ...rest] = marked.split("|");
    const after = rest.length > 0 ? (rest[0] ?? "") : selected;
    this.value = marked.replaceAll("|", "");
    this.selectionStart = before.length;
    this.selectionEnd = this.value.length - after.length;
  }

  override focus(): void {
    if (!this.disabled && !page.hasDialog) super.focus();
  }

  blur(): void {
    if (page.activeElement === this) page.activeElement = undefined;
  }

  setSelectionRange(start: number, end: number): void {
    this.selectionStart = start;
    this.selectionEnd = end;
  }

  setRangeText(text: string, start: number, end: number): void {
    this.value = this.value.slice(0, start) + text + this.value.slice(end);
  }

  dispatchEvent({ type, bubbles }: Event): void {
    this.events.push(`${type} ${bubbles}`);
  }

  get marked(): string {
    const { value, selectionStart: start, selectionEnd: end } = this;
    return `${value.slice(0, start)}|${start === end ? "" : `${value.slice(start, end)}|`}${value.slice(end)}`;
  }
}

const page = {
  activeElement: undefined as unknown,
  hasDialog: false,
  announced: [] as string[],
  commands: [] as string[],
  getElementById: () => ({
    append: ({ textContent }: { textContent: string }) => page.announced.push(textContent),
  }),
  createElement: () => ({ textContent: "", remove: () => undefined }),
  execCommand(command: string, _: boolean, text: string) {
    page.commands.push(command);
    const area = page.activeElement as FakeArea;
    const { selectionStart: start, selectionEnd: end } = area;
    area.setRangeText(command === "delete" ? "" : text, start, end);
    area.setSelectionRange(start + text.length, start + text.length);
  },
};

beforeEach(() => {
  Object.assign(page, { activeElement: undefined, hasDialog: false, announced: [], commands: [] });
  vi.stubGlobal("document", page);
  vi.stubGlobal("HTMLElement", FakeElement);
  vi.stubGlobal(
    "InputEvent",
    class {
      type: string;
      bubbles: boolean;
      constructor(type: string, { bubbles }: { bubbles: boolean }) {
        this.type = type;
        this.bubbles = bubbles;
      }
    },
  );
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const focused = (marked: string) => {
  const area = new FakeArea(marked);
  area.focus();
  return area;
};
const asArea = (area: FakeArea) => area as unknown as HTMLTextAreaElement;

/** Presses a key in the area. Returns whether the browser's own action was prevented. */
function press(
  handle: (event: KeyboardEvent<HTMLTextAreaElement>) => void,
  area: FakeArea,
  key: string,
  modifiers: object = {},
): boolean {
  let isPrevented = false;
  handle({
    key,
    nativeEvent: { isComposing: false },
    currentTarget: area,
    preventDefault: () => {
      isPrevented = true;
    },
    ...{ shiftKey: false, ctrlKey: false, altKey: false, metaKey: false },
    ...modifiers,
  } as unknown as KeyboardEvent<HTMLTextAreaElement>);
  return isPrevented;
}

test.each([
  ["- one|", "- one\n- |"],
  ["* one| more", "* one\n* | more"],
  ["text\n  + one|", "text\n  + one\n  + |"],
  ["9. nine|", "9. nine\n10. |"],
  ["1)  one|", "1)  one\n2)  |"],
  ["- [x] done|", "- [x] done\n- [ ] |"],
  ["- [ ] open|", "- [ ] open\n- [ ] |"],
  ["- one\n- |", "- one\n|"],
  ["1. one\n2. |\nafter", "1. one\n|\nafter"],
  ["- [ ] |", "|"],
])("Enter in the list %j gives %j", (before, after) => {
  const area = focused(before);
  expect(press(continueListOnEnter, area, "Enter")).toBe(true);
  expect(area.marked).toBe(after);
});

test.each(["text|", "-|", "-one|", "1234567890. x|", "- o|n|e", "|- one", "x - one|"])(
  "Enter in %j is the browser's own",
  (before) => {
    const area = focused(before);
    expect(press(continueListOnEnter, area, "Enter")).toBe(false);
    expect(area.marked).toBe(before);
  },
);

test.each([
  { shiftKey: true },
  { ctrlKey: true },
  { altKey: true },
  { metaKey: true },
  { nativeEvent: { isComposing: true } },
])("Enter with %j continues neither a list nor an indentation", (modifiers) => {
  const area = focused("  - one|");
  expect(press(continueListOnEnter, area, "Enter", modifiers)).toBe(false);
  expect(press(indentOnEnter, area, "Enter", modifiers)).toBe(false);
  expect(press(indentOnEnter, area, "a")).toBe(false);
  expect(area.marked).toBe("  - one|");
});

test.each([
  ["  a|", "  a\n  |", true],
  ["\t a|b", "\t a\n\t |b", true],
  ["  a\nb|", "  a\nb|", false],
  [" | a", " \n | a", true],
])("Enter in the code %j gives %j", (before, after, isPrevented) => {
  const area = focused(before);
  expect(press(indentOnEnter, area, "Enter")).toBe(isPrevented);
  expect(area.marked).toBe(after);
});

test.each([
  ["a|b", "a  |b"],
  ["one\nt|wo\nth|ree\nfour", "one\n|  two\n  th|ree\nfour"],
  ["|one\n|two", "|  one|\ntwo"],
  ["|one\n\ntwo|", "|  one\n\n  two|"],
])("Tab in %j gives %j", (before, after) => {
  const area = focused(before);
  indentSelection(asArea(area), "  ");
  expect(area.marked).toBe(after);
});

test.each<[FormatName, string, string]>([
  ["Bold", "a |word| b", "a **|word|** b"],
  ["Bold", "a | b", "a **|** b"],
  ["Bold", "a **word|** b", "a **word**| b"],
  ["Bold", "a **|** b", "a | b"],
  ["Bold", "a ***word|*** b", "a ***word**|* b"],
  ["Bold", "a |** b", "a **|**** b"],
  ["Bold", "|** b", "**|**** b"],
  ["Bold", "**wo|rd|** b", "**wo**|rd|**** b"],
  ["Italic", "*word|* b", "*word*| b"],
  ["Italic", "|word|", "*|word|*"],
  ["Code", "|word|", "`|word|`"],
  ["Code", "`word|`", "`word`|"],
  ["Code", "a\n|b\nc|\nd", "a\n```\n|b\nc|\n```\nd"],
  ["Code", "a |b\nc\n|d", "a \n```\n|b\nc|\n```\nd"],
  ["Code", "|b\n```x```|", "````\n|b\n```x```|\n````"],
  ["Code", "|b\n`````|", "``````\n|b\n`````|\n``````"],
  ["Link", "a |word|", "a [word](|https://|)"],
  ["Link", "a |", "a [|](https://)"],
  ["List", "one\nt|wo", "one\n- two|"],
  ["List", "|one\n\n  two\n|three", "|- one\n\n  - two|\nthree"],
  ["List", "|- one\n* two\n\n+ three|", "|one\ntwo\n\nthree|"],
  ["List", "|- one\ntwo|", "|- - one\n- two|"],
  ["List", "|", "- |"],
  ["List", "a\n|\nb", "a\n- |\nb"],
])("%s in %j gives %j", (name, before, after) => {
  const area = new FakeArea(before);
  applyFormat(asArea(area), name);
  expect(area.marked).toBe(after);
  expect(page.activeElement).toBe(area);
  expect(page.announced).toEqual([name]);
});

test("Ctrl or Command with B, I and K formats the text, but not with other keys or modifiers", () => {
  const shortcuts: [string, object, string][] = [
    ["b", { ctrlKey: true }, "**|a|**"],
    ["B", { ctrlKey: true }, "**|a|**"],
    ["i", { metaKey: true }, "*|a|*"],
    ["k", { ctrlKey: true }, "[a](|https://|)"],
    ["b", {}, "|a|"],
    ["x", { ctrlKey: true }, "|a|"],
    ["b", { ctrlKey: true, shiftKey: true }, "|a|"],
    ["b", { ctrlKey: true, altKey: true }, "|a|"],
  ];
  for (const [key, modifiers, after] of shortcuts) {
    const area = focused("|a|");
    expect(press(formatOnShortcut, area, key, modifiers)).toBe(after !== "|a|");
    expect(area.marked).toBe(after);
  }
});

test.each([
  ["see |the manual|", "https://x.test/a_(b)", "see [the manual](https://x.test/a_%28b%29)|"],
  ["|a|", " http://x.test\n", "[a](http://x.test)|"],
  ["a|", "https://x.test", undefined],
  ["| |", "https://x.test", undefined],
  ["|a|", "x https://x.test", undefined],
  ["|a|", "https://x.test and more", undefined],
  ["|a|", "ftp://x.test", undefined],
  ["|a\nb|", "https://x.test", undefined],
  ["|[a]|", "https://x.test", undefined],
  ["|https://y.test|", "https://x.test", undefined],
])("in %j, pasting %j gives %j", (before, address, after) => {
  const area = focused(before);
  const preventDefault = vi.fn();
  const clipboardData = { getData: (type: string) => (type === "text/plain" ? address : "") };
  linkOnPaste({ currentTarget: area, clipboardData, preventDefault } as never);
  expect(area.marked).toBe(after ?? before);
  expect(preventDefault).toHaveBeenCalledTimes(after === undefined ? 0 : 1);
});

test("a form is sent by Ctrl+Enter, but not while a word is composed", () => {
  const submit = vi.fn();
  const form = { requestSubmit: submit } as unknown as FakeArea;
  const handle = submitOnCtrlEnter as unknown as Parameters<typeof press>[0];
  expect(press(handle, form, "Enter", { ctrlKey: true })).toBe(true);
  expect(press(handle, form, "Enter", { metaKey: true })).toBe(true);
  expect(submit).toHaveBeenCalledTimes(2);
  expect(press(handle, form, "Enter")).toBe(false);
  expect(press(handle, form, "a", { ctrlKey: true })).toBe(false);
  expect(press(handle, form, "Enter", { ctrlKey: true, nativeEvent: { isComposing: true } })).toBe(false);
  expect(submit).toHaveBeenCalledTimes(2);
});

test("a replaced part keeps the selection around it, its scroll position and the focus of another field", () => {
  const other = new FakeArea("");
  const moves: [string, string][] = [
    ["|a|bcdef", "|a|XYZ1ef"],
    ["ab|", "aXYZ1|ef"],
    ["abcd|e|f", "aXYZ1|e|f"],
    ["ab|cde|f", "aXYZ1|e|f"],
    ["a|bcd|ef", "a|XYZ1|ef"],
  ];
  for (const [before, after] of moves) {
    const area = new FakeArea(before.replaceAll("|", "").length < 6 ? `${before}cdef` : before);
    Object.assign(area, { scrollTop: 7, disabled: true, readOnly: true });
    other.focus();
    replaceRange(asArea(area), 1, 4, "XYZ1");
    expect(area.marked).toBe(after);
    expect(area).toMatchObject({ scrollTop: 7, disabled: true, readOnly: true });
    expect(page.activeElement).toBe(other);
  }
  const area = focused("abcdef|");
  replaceRange(asArea(area), 1, 4, "");
  expect(area.marked).toBe("aef|");
  expect(page.activeElement).toBe(area);
  expect(page.commands.at(-1)).toBe("delete");
});

test("a field outside of an open dialog is changed without its focus, and React hears of it", () => {
  const area = new FakeArea("abc|");
  page.hasDialog = true;
  replaceRange(asArea(area), 0, 1, "X");
  expect(area.marked).toBe("Xbc|");
  expect(area.events).toEqual(["input true"]);
  expect(page.commands).toEqual([]);
});
