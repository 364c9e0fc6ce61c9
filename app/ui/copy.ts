import { announce } from "./announce.tsx";

/** How long a button shows that it has copied. */
export const COPIED_MS = 2_000;

/** Says `done` once the text is on the clipboard. False where the browser withholds the clipboard. */
export async function copy(text: string, done: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return false;
  }
  announce(done);
  return true;
}
