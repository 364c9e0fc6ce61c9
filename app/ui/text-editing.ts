import type { ClipboardEvent, KeyboardEvent } from "react";

type Area = HTMLTextAreaElement;

/** The name of the modifier key that the labels of keyboard shortcuts begin with, as in Ctrl+B. */
export const COMMAND_KEY = /Mac/.test(navigator.userAgent) ? "⌘" : "Ctrl";

/** Uses `execCommand` although it is deprecated: only its changes can be undone with the browser's Undo. */
export function replaceSelection(text: string): void {
  document.execCommand(text ? "insertText" : "delete", false, text);
}

function lineBefore({ value, selectionStart }: Area): string {
  return value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
}

/** Returns false while a word is being composed, e.g. in Japanese, because Enter then only ends the word. */
function isPlainEnter({ key, nativeEvent, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent<Area>) {
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

/** Formats the selected text on Ctrl+B, Ctrl+I and Ctrl+K, or with Command on a Mac. */
export function formatOnShortcut(event: KeyboardEvent<Area>): void {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key === "b") surround(event, "**", "**");
  else if (key === "i") surround(event, "*", "*");
  else if (key === "k") surround(event, "[", "](https://)");
}

/**
 * Puts `before` and `after` around the selected text, and keeps it selected. In a link with text, selects `https://`
 * instead, because members type the URL next.
 */
function surround(event: KeyboardEvent<Area>, before: string, after: string): void {
  event.preventDefault();
  const area = event.currentTarget;
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
