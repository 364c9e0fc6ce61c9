import { useEffect } from "react";
import { announce } from "./announce.tsx";
import { useListener } from "./use-listener.ts";

const COPIED_MS = 2_000;

/** Handles all copy buttons with one listener, because most of them are in HTML that React inserts as a string. */
export function useCopyButtons(): void {
  // CSS hides the buttons until they work.
  useEffect(() => document.documentElement.setAttribute("data-copies", ""), []);
  useListener("click", ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>(".copy-link, .copy-code");
    if (button) void copy(button);
  });
}

/** A button copies the path in its `data-path`, the URL of the link after it, or the code before it. */
async function copy(button: HTMLButtonElement): Promise<void> {
  const { previousElementSibling: code, nextElementSibling: link } = button;
  const { path } = button.dataset;
  const url = path ? new URL(path, location.href).href : link instanceof HTMLAnchorElement && link.href;
  const [text, done] = url ? [url, "Link copied"] : [code?.textContent, "Code copied"];
  try {
    await writeToClipboard(text ?? "");
  } catch {
    // The browser denied access to the clipboard, so don't announce anything.
    return;
  }
  announce(done);
  button.dataset["copied"] = "";
  setTimeout(() => delete button.dataset["copied"], COPIED_MS);
}

/** Throws if the browser doesn't allow it. */
export async function writeToClipboard(text: string): Promise<void> {
  // Pages served over plain HTTP have no clipboard API. There, copy a selected text field with `execCommand`.
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr-only fixed top-0";
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (!isCopied) throw new Error("The browser did not copy");
}
