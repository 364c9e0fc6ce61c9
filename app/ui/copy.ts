import { announce } from "./announce.tsx";

export const COPIED_MS = 2_000;

/** Announces `done` on success. False where the browser withholds the clipboard. */
export async function copy(text: string, done: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return false;
  }
  announce(done);
  return true;
}
