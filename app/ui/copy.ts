import { announce } from "./announce.tsx";
import { useListener } from "./use-listener.ts";

const COPIED_MS = 2_000;

/** Answers the buttons of cards and of blocks of code, which stand in the document before the application does. */
export function useCopyButtons(): void {
  useListener("click", ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>(".copy-link, .copy-code");
    if (button) void copy(button);
  });
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const before = button.previousElementSibling;
  const [text, done] =
    before instanceof HTMLAnchorElement ? [before.href, "Link copied"] : [before?.textContent, "Code copied"];
  try {
    await navigator.clipboard.writeText(text ?? "");
  } catch {
    // The browser withholds the clipboard.
    return;
  }
  announce(done);
  button.dataset["copied"] = "";
  setTimeout(() => delete button.dataset["copied"], COPIED_MS);
}
