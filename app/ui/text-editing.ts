import type { ClipboardEvent, KeyboardEvent } from "react";
import { announce } from "./announce.tsx";

type Area = HTMLTextAreaElement;

/** The name of the modifier key that the labels of keyboard shortcuts begin with, as in Ctrl+B. */
export const COMMAND_KEY = /Mac/.test(navigator.userAgent) ? "⌘" : "Ctrl";

/** Submits a form from any of its fields. */
export function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/** Uses `execCommand` although it is deprecated: only its changes can be undone with the browser's Undo. */
function replaceSelection(text: string): void {
  document.execCommand(text ? "insertText" : "delete", false, text);
}

/**
 * Replaces part of a field's text as if the member had typed it, so that the browser's Undo covers the change. Keeps the
 * selection, and the focus if another element has it.
 */
export function replaceRange(field: Area, start: number, end: number, text: string): void {
  const { selectionStart, selectionEnd, scrollTop } = field;
  const focused = document.activeElement;
  // A disabled field can't take the focus, and the text would go to the element that has it.
  const { disabled, readOnly } = field;
  field.disabled = false;
  field.readOnly = false;
  field.focus({ preventScroll: true });
  field.setSelectionRange(start, end);
  if (document.activeElement === field) replaceSelection(text);
  else {
    // An open dialog keeps the focus.
    field.setRangeText(text, start, end);
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  const moved = (position: number) => {
    if (position <= start) return position;
    return position >= end ? position + text.length - (end - start) : start + text.length;
  };
  field.setSelectionRange(moved(selectionStart), moved(selectionEnd));
  field.scrollTop = scrollTop;
  if (focused !== field) field.blur();
  field.disabled = disabled;
  field.readOnly = readOnly;
  if (focused === field) return;
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
}

/** Selects part of a field's text and scrolls to it. Browsers scroll only when a field gets the focus. */
export function selectRange(field: Area, start: number, end: number): void {
  field.blur();
  field.setSelectionRange(start, end);
  field.focus();
}

/** Indents the lines of the selection and keeps them selected. Without a selection, inserts the indentation. */
export function indentSelection(field: Area, indent: string): void {
  const { selectionStart, selectionEnd, value } = field;
  if (selectionStart === selectionEnd) {
    replaceSelection(indent);
    return;
  }
  const start = value.lastIndexOf("\n", selectionStart - 1) + 1;
  // A selection that ends at the start of a line doesn't include that line.
  const end = value[selectionEnd - 1] === "\n" ? selectionEnd - 1 : selectionEnd;
  const indented = value.slice(start, end).replace(/^(?!$)/gm, indent);
  replaceRange(field, start, end, indented);
  field.setSelectionRange(start, start + indented.length);
}

function lineBefore({ value, selectionStart }: Area): string {
  return value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
}

/** Returns false while a word is being composed, e.g. in Japanese, because Enter then only ends the word. */
export function isPlainEnter({ key, nativeEvent, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent) {
  return key === "Enter" && !nativeEvent.isComposing && !shiftKey && !ctrlKey && !altKey && !metaKey;
}

/** Makes Enter keep the indentation of the line. */
export function indentOnEnter(event: KeyboardEvent<Area>): void {
  if (!isPlainEnter(event)) return;
  const [indentation = ""] = /^[ \t]*/.exec(lineBefore(event.currentTarget)) ?? [];
  if (indentation === "") return;
  event.preventDefault();
  replaceSelection(`\n${indentation}`);
}

const LIST_ITEM = /^(\s*)(?:([-*+])|(\d{1,9})([.)]))(\s+)(\[[ xX]\]\s+)?/;

/** Makes Enter start the next item of a Markdown list or, in an empty item, end the list. */
export function continueListOnEnter(event: KeyboardEvent<Area>): void {
  if (!isPlainEnter(event)) return;
  const area = event.currentTarget;
  const line = lineBefore(area);
  const item = LIST_ITEM.exec(line);
  if (!item || area.selectionStart !== area.selectionEnd) return;
  event.preventDefault();
  const [marker, space = "", bullet, number, delimiter, gap, task] = item;
  if (line === marker) {
    area.setSelectionRange(area.selectionStart - line.length, area.selectionStart);
    replaceSelection("");
    return;
  }
  const next = bullet ?? `${Number(number) + 1}${delimiter}`;
  replaceSelection(`\n${space}${next}${gap}${task ? "[ ] " : ""}`);
}

export const FORMAT_NAMES = ["Bold", "Italic", "Code", "Link", "List"] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];
const SHORTCUTS: Record<string, FormatName> = { b: "Bold", i: "Italic", k: "Link" };
const MARKS = { Bold: "**", Italic: "*", Code: "`" };

/** Formats the selected text on Ctrl+B, Ctrl+I and Ctrl+K, or with Command on a Mac. */
export function formatOnShortcut(event: KeyboardEvent<Area>): void {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  const name = SHORTCUTS[event.key.toLowerCase()];
  if (!name) return;
  event.preventDefault();
  applyFormat(event.currentTarget, name);
}

/** Formats the selected text of a Markdown field, and gives it the focus. Browsers can undo the change. */
export function applyFormat(area: Area, name: FormatName): void {
  area.focus({ preventScroll: true });
  const text = area.value.slice(area.selectionStart, area.selectionEnd);
  if (name === "List") toggleList(area);
  else if (name === "Link") surround(area, "[", "](https://)");
  else if (name === "Code" && text.includes("\n")) fence(area);
  else if (!leaveMarks(area, MARKS[name])) surround(area, MARKS[name], MARKS[name]);
  announce(name);
}

/** Moves the cursor from the end of formatted text to after its marks, and removes marks without text. */
function leaveMarks(area: Area, mark: string): boolean {
  const { selectionStart: at, selectionEnd, value } = area;
  const [run = ""] = /^(?:\*+|`+)/.exec(value.slice(at)) ?? [];
  const isEnd = at === selectionEnd && (run === mark || run === "***");
  if (!isEnd || /(?:^|\s)$/.test(value.slice(0, at))) return false;
  if (value.slice(0, at).endsWith(mark)) {
    area.setSelectionRange(at - mark.length, at + mark.length);
    replaceSelection("");
    return true;
  }
  area.setSelectionRange(at + mark.length, at + mark.length);
  return true;
}

/** Makes the lines of the selection a list, or removes the markers if all of them have one. */
function toggleList(area: Area): void {
  const { selectionStart, selectionEnd, value } = area;
  const start = value.lastIndexOf("\n", selectionStart - 1) + 1;
  const newline = value.indexOf("\n", Math.max(selectionStart, selectionEnd - 1));
  const end = newline === -1 ? value.length : newline;
  const lines = value.slice(start, end).split("\n");
  const isList =
    lines.every((line) => /^\s*(?:[-*+] |$)/.test(line)) && lines.some((line) => line.trim() !== "");
  const changed = lines
    .map((line) => {
      if (isList) return line.replace(/^(\s*)[-*+] /, "$1");
      return line.trim() === "" && lines.length > 1 ? line : line.replace(/^\s*/, "$&- ");
    })
    .join("\n");
  replaceRange(area, start, end, changed);
  const cursor = start + changed.length;
  area.setSelectionRange(selectionStart === selectionEnd ? cursor : start, cursor);
}

/** Puts the selected lines into a code block. */
function fence(area: Area): void {
  const { selectionStart: start, selectionEnd: end, value } = area;
  const before = start === 0 || value[start - 1] === "\n" ? "" : "\n";
  const text = value.slice(start, end).replace(/\n$/, "");
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const marks = "`".repeat(longest + 1);
  const after = end === value.length || value[end] === "\n" ? "" : "\n";
  replaceSelection(`${before}${marks}\n${text}\n${marks}${after}`);
  const at = start + before.length + marks.length + 1;
  area.setSelectionRange(at, at + text.length);
}

/**
 * Puts `before` and `after` around the selected text, and keeps it selected. In a link with text, selects `https://`
 * instead, because members type the URL next.
 */
function surround(area: Area, before: string, after: string): void {
  const { selectionStart: start, selectionEnd: end, value } = area;
  const text = value.slice(start, end);
  replaceSelection(before + text + after);
  const at = start + before.length;
  if (before === "[" && text)
    area.setSelectionRange(at + text.length + 2, at + text.length + after.length - 1);
  else area.setSelectionRange(at, at + text.length);
}

/** Turns the selected text into a link if the member pastes a URL over it. */
export function linkOnPaste(event: ClipboardEvent<Area>): void {
  const { selectionStart: start, selectionEnd: end, value } = event.currentTarget;
  const address = event.clipboardData.getData("text/plain").trim();
  const text = value.slice(start, end);
  if (
    !/^https?:\/\/\S+$/.test(address) ||
    text.trim() === "" ||
    /[\n[\]]/.test(text) ||
    /^https?:/.test(text)
  )
    return;
  event.preventDefault();
  replaceSelection(`[${text}](${address.replaceAll("(", "%28").replaceAll(")", "%29")})`);
}
